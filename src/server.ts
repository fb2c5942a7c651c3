import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './observability/log.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A handler whose requests are pieces of work of their own; what the log tells of its failures belongs to them. */
export interface WorkRoute {
  handle: Handler;
  beginWork: (run: () => Promise<void>) => Promise<void>;
}

/** A request has to be there within this time, and a connection on which it is not is cut at the next look. */
const patience = { requestTimeoutMs: 10_000, headersTimeoutMs: 5_000, looksEveryMs: 2_000 };

const immediately = (run: () => Promise<void>) => run();

/** The bot's one HTTP server: a handler a path. A handler that fails is a logged 500, never a hanging request. */
export function createHttpServer(
  routes: Readonly<Record<string, Handler | WorkRoute | undefined>>,
  log: Log,
  { requestTimeoutMs, headersTimeoutMs, looksEveryMs } = patience,
) {
  const times = { requestTimeout: requestTimeoutMs, headersTimeout: headersTimeoutMs, connectionsCheckingInterval: looksEveryMs };
  const server: Server = createServer(times, (request, response) => {
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) return void response.writeHead(404).end();
    const { handle: handler, beginWork } = typeof route === 'function' ? { handle: route, beginWork: immediately } : route;
    // What failed is told and answered where it failed.
    await beginWork(() => answer(handler, path, request, response)).catch(() => {});
  }

  async function answer(handler: Handler, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await handler(request, response);
    } catch (error) {
      log.error({ error, url: path }, 'request failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
      throw error;
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
