import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announcedBytes } from './http/read-body.ts';
import type { Log } from './observability/log.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A handler whose requests are pieces of work of their own; what the log tells of its failures belongs to them. */
export interface WorkRoute {
  handle: Handler;
  beginWork: (run: () => Promise<void>) => Promise<void>;
}

/** What the server takes and how long it waits. Node's own parser refuses what is no HTTP, and what could be read in two ways. */
const standardLimits = {
  /** The head of a request has to be there within this time, and all of it within that: otherwise the connection is cut at the next look. */
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  looksEveryMs: 2_000,
  /** Nothing moves, in a request that is being answered: its sender does not read. */
  silenceTimeoutMs: 30_000,
  /** Between two requests; longer than the 60 s of the usual load balancers, or a request meets a connection that is being closed. */
  keepAliveMs: 75_000,
  /** One more is refused, and those that are idle are closed. */
  connections: 500,
  headers: 100,
  headersBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
};

const tellsRefusedEveryMs = 5_000;

const immediately = (run: () => Promise<void>) => run();

/** The bot's one HTTP server: a handler a path. A handler that fails is a logged 500, never a hanging request. */
export function createHttpServer(
  routes: Readonly<Record<string, Handler | WorkRoute | undefined>>,
  log: Log,
  changed: Partial<typeof standardLimits> = {},
) {
  const limits = { ...standardLimits, ...changed };
  const server: Server = createServer({
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.looksEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headersBytes,
  });
  server.timeout = limits.silenceTimeoutMs;
  server.maxConnections = limits.connections;
  // What is over it, Node leaves out without a word: one more is let in, to be seen and refused.
  server.maxHeadersCount = limits.headers + 1;
  let isClosing = false;
  let refusedConnections = 0;

  server.on('request', (request, response) => void handle(request, response));
  server.on('checkContinue', (request, response) => {
    if (announcedBytes(request) <= limits.bodyBytes) response.writeContinue();
    void handle(request, response);
  });
  server.on('drop', () => {
    server.closeIdleConnections();
    if (refusedConnections === 0) setTimeout(tellRefused, tellsRefusedEveryMs).unref();
    refusedConnections += 1;
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? '/');
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const takesBody = route !== undefined && request.method === 'POST';
    // Nobody reads on: neither for a sender who goes on sending, nor once the server closes.
    if (isClosing || (!takesBody && hasBody(request))) response.shouldKeepAlive = false;
    if (request.rawHeaders.length > 2 * limits.headers) return void response.writeHead(431, { connection: 'close' }).end();
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

  function tellRefused(): void {
    log.warn({ refused: refusedConnections, atMost: limits.connections }, 'connections were refused: there were too many');
    refusedConnections = 0;
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
      isClosing = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      // A connection whose answer was under way is kept by Node for the next request.
      const closesIdle = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(closesIdle);
    },
  };
}

/** Lets a handler answer GET and HEAD, and nothing else. */
export function onlyGet(handler: Handler): Handler {
  return (request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') return handler(request, response);
    if (hasBody(request)) response.shouldKeepAlive = false;
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  };
}

function hasBody(request: IncomingMessage): boolean {
  return announcedBytes(request) > 0 || request.headers['transfer-encoding'] !== undefined;
}

/** A request may name its target with the host before the path, as to a proxy. */
function pathOf(url: string): string {
  const isAbsolute = /^https?:\/\//i.test(url);
  return isAbsolute ? (URL.parse(url)?.pathname ?? '') : (url.split('?', 1)[0] ?? '');
}
