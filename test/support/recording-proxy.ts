import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the quiz service, or something before it, can do instead of answering. */
export type ServiceFault = 'down' | 'slow' | '429' | 'HTML' | 'lost answers';

export interface RecordingProxy {
  url: string;
  requests: string[];
  /** From now on, until it is told otherwise. */
  setFault(fault: ServiceFault | undefined): void;
  close(): void;
}

/** Stands between the bot and the quiz service and writes down what goes through: `POST /api/v1/quizzes name=Ladders`. */
export async function startRecordingProxy(targetUrl: string): Promise<RecordingProxy> {
  const requests: string[] = [];
  let present: ServiceFault | undefined;
  const server = createServer((incoming, answer) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      requests.push(`${incoming.method} ${incoming.url} ${decodeURIComponent(body.toString().replaceAll('+', ' '))}`.trim());
      switch (present) {
        case 'down':
          return void incoming.socket.destroy();
        case 'slow':
          return;
        case '429':
          return void answer.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' }).end('{"message":"Too many requests"}');
        case 'HTML':
          return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><head><title>Maintenance</title></head></html>');
        case 'lost answers':
        case undefined:
      }
      const outgoing = send(new URL(incoming.url ?? '/', targetUrl), { method: incoming.method, headers: incoming.headers }, (response) => {
        if (present === 'lost answers' && incoming.method === 'POST') return void incoming.socket.destroy();
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
    setFault(fault) {
      present = fault;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
