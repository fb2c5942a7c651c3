import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './observability/log.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A request has to be there within this time, and a connection on which it is not is cut at the next look. */
const patience = { requestTimeoutMs: 10_000, headersTimeoutMs: 5_000, looksEveryMs: 2_000 };

/** The bot's one HTTP server: a handler a path. A handler that fails is a logged 500, never a hanging request. */
export function createHttpServer(
  routes: Readonly<Record<string, Handler | undefined>>,
  log: Log,
  { requestTimeoutMs, headersTimeoutMs, looksEveryMs } = patience,
) {
  const times = { requestTimeout: requestTimeoutMs, headersTimeout: headersTimeoutMs, connectionsCheckingInterval: looksEveryMs };
  const server: Server = createServer(times, (request, response) => {
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      const handler = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (handler === undefined) return void response.writeHead(404).end();
      await handler(request, response);
    } catch (error) {
      log.error({ error, url: request.url?.split('?', 1)[0] }, 'request failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  return {
    /** @returns the port, which is a free one where `port` is 0 */
    async listen(port: number, host: string): Promise<number> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    /** Takes nothing new; resolves when what was taken is answered. */
    async close(): Promise<void> {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}
