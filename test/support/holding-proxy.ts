import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Where in its course a request is held: before the other side sees it, or after it was done and before the answer. */
export type HoldPoint = 'before' | 'after';

export interface HoldingProxy {
  url: string;
  /** The requests the other side has seen, as `POST /api/v1/users/u-1 suspended=true`. */
  passed: string[];
  /** Holds the next request that fits, for good: whoever sent it has to die. Resolves when it is held. */
  hold(fits: (request: string) => boolean, point: HoldPoint): Promise<void>;
}

/** Stands between the bot and another program, so that a test can stop the bot at an exact place. */
export async function startHoldingProxy(targetUrl: string): Promise<HoldingProxy> {
  const passed: string[] = [];
  let holding: { fits: (request: string) => boolean; point: HoldPoint; held: () => void } | undefined;

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const line = `${incoming.method} ${incoming.url} ${decodeURIComponent(body.toString().replaceAll('+', ' '))}`.trim();
    const held = holding?.fits(line) ? holding : undefined;
    if (held) holding = undefined;
    if (held?.point === 'before') return held.held();
    const outgoing = send(new URL(incoming.url ?? '/', targetUrl), { method: incoming.method, headers: incoming.headers }, (response) => {
      passed.push(line);
      if (held) return held.held();
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  }

  const server = createServer((incoming, answer) => void handle(incoming, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    hold: (fits, point) => new Promise((resolve) => (holding = { fits, point, held: resolve })),
  };
}
