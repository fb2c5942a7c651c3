import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordingProxy {
  url: string;
  requests: string[];
  close(): void;
}

/** Stands between the bot and the quiz service and writes down what goes through: `POST /api/v1/quizzes name=Ladders`. */
export async function startRecordingProxy(targetUrl: string): Promise<RecordingProxy> {
  const requests: string[] = [];
  const server = createServer((incoming, answer) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      requests.push(`${incoming.method} ${incoming.url} ${decodeURIComponent(body.toString().replaceAll('+', ' '))}`.trim());
      const outgoing = send(new URL(incoming.url ?? '/', targetUrl), { method: incoming.method, headers: incoming.headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      outgoing.end(body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
