import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Log, beginWork } from '../observability/log.ts';
import { announcedBytes } from './bodies.ts';
import { every, later } from '../time/clock.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** What answers a path, each request as a piece of work `from` somewhere, so that its errors are logged as part of that. */
export type Route = Handler | { handle: Handler; from: string };

/** Routes by path; an undefined one is as if it were not there. */
export type Routes = Readonly<Record<string, Route | undefined>>;

/** Finds what answers a path. */
export type RouteOf = (path: string) => Route | undefined;

/** Finds routes that never change. What is below `/webhooks` and finds none goes to `/webhooks` itself, in any case. */
export function fixedRoutes(routes: Routes): RouteOf {
  const byPath = new Map(Object.entries(routes));
  return (path) => byPath.get(path) ?? (isOfWebhooks(path) ? byPath.get('/webhooks') : undefined);
}

/** Whether a path can only be that of a webhook, if it is not quite the right one. */
export const isOfWebhooks = (path: string): boolean => /^\/webhooks(?:\/|$)/i.test(path);

/** Node's parser itself refuses what is not HTTP, and requests that two programs could read differently. */
const standardLimits = {
  /** Time for the head of a request, and for all of it. The connection is cut at the first check afterwards. */
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checksEveryMs: 2_000,
  /** How long nothing may move in a request that is being answered: its sender does not read. */
  silenceTimeoutMs: 30_000,
  /** Between two requests. Longer than the usual 60 s of load balancers, or their requests meet connections that are being closed. */
  keepAliveMs: 75_000,
  /** Beyond these, connections are refused, and idle ones closed. */
  connections: 500,
  headers: 100,
  headersBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
};

const reportsRefusedEveryMs = 5_000;

/**
 * The HTTP server of the process.
 *
 * When a handler fails, the error is logged and the answer is a 500. The request never hangs.
 */
export function createHttpServer(routeOf: RouteOf, log: Log, changedLimits: Partial<typeof standardLimits> = {}) {
  const limits = { ...standardLimits, ...changedLimits };
  const server = createServer({
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.checksEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headersBytes,
  });
  server.timeout = limits.silenceTimeoutMs;
  server.maxConnections = limits.connections;
  // Node drops excess headers silently: one more than the limit is let in, so that `handle` can refuse the request.
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
    if (refusedConnections === 0) later(reportRefused, reportsRefusedEveryMs);
    refusedConnections += 1;
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? '/');
    const route = routeOf(path);
    const takesBody = route !== undefined && request.method === 'POST';
    // Nothing reads the next request: after an unread body, or while the server closes.
    if (isClosing || (!takesBody && hasBody(request))) response.shouldKeepAlive = false;
    if (request.rawHeaders.length > 2 * limits.headers)
      return void response.writeHead(431, { connection: 'close' }).end();
    if (route === undefined) return void response.writeHead(404).end();
    if (typeof route === 'function') return answer(route, path, request, response);
    await beginWork(route.from, () => answer(route.handle, path, request, response));
  }

  async function answer(
    handler: Handler,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      await handler(request, response);
    } catch (error) {
      log.error({ error, url: path }, 'request failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  function reportRefused(): void {
    log.warn(
      { refused: refusedConnections, atMost: limits.connections },
      'connections were refused: there were too many',
    );
    refusedConnections = 0;
  }

  return {
    /** @returns the port; a free one if `port` is 0 */
    async listen(port: number, host: string): Promise<number> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    /** Accepts nothing new. Resolves when every accepted request is answered. */
    async close(): Promise<void> {
      isClosing = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      // Node keeps a connection for the next request if its answer was being written when the server closed.
      const endClosing = every(() => server.closeIdleConnections(), 50);
      await closed;
      endClosing();
    },
  };
}

/** Restricts a handler to GET and HEAD. */
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

/** The path of a request's target, without slashes at its end. As for a proxy, the target may be a whole address. */
export function pathOf(url: string): string {
  const isAbsolute = /^https?:\/\//i.test(url);
  const path = isAbsolute ? (URL.parse(url)?.pathname ?? '') : (url.split('?', 1)[0] ?? '');
  return path.replace(/(?<=[^/])\/+$/, '');
}
