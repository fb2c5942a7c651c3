import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

/** A request on its way through a proxy. */
export interface Passing {
  /** As `POST /api/v1/quizzes name=Ladders`. */
  line: string;
  incoming: IncomingMessage;
  answer: ServerResponse;
}

/** Is handed a request. @returns whether it sees to the rest of it, so that the proxy does nothing more for it */
type Intervene = (passing: Passing) => boolean;

/**
 * Stands between the bot and another program.
 *
 * @param before is handed each request before the other side sees it
 * @param after is handed each that was done, before the bot has the answer
 */
export async function startProxy(targetUrl: string, { before, after }: { before: Intervene; after: Intervene }): Promise<{ url: string; close(): void }> {
  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const line = `${incoming.method} ${incoming.url} ${decodeURIComponent(body.toString().replaceAll('+', ' '))}`.trim();
    const passing = { line, incoming, answer };
    if (before(passing)) return;
    const outgoing = send(new URL(incoming.url ?? '/', targetUrl), { method: incoming.method, headers: incoming.headers }, (response) => {
      if (after(passing)) return;
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  }

  const server = createServer((incoming, answer) => void handle(incoming, answer));
  return {
    url: await listenOnLoopback(server),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
