import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

/** A request that passes through a proxy. */
interface ProxiedRequest {
  /** The request as text: `POST /api/v1/quizzes name=Ladders`. */
  line: string;
  incoming: IncomingMessage;
  answer: ServerResponse;
}

/** @returns true if it handles the rest of the request, so that the proxy does nothing more */
type Intervene = (request: ProxiedRequest) => boolean;

/**
 * Starts a proxy between the bot and another program.
 *
 * @param before called with each request before the target receives it
 * @param after called with each request after the target has answered and before the bot has the answer
 * @param beforeChange awaited with the line of a request that changes something, before the target receives it
 */
async function startProxy(
  targetUrl: string,
  {
    before,
    after,
    beforeChange,
  }: { before: Intervene; after: Intervene; beforeChange?: (line: string) => Promise<void> },
): Promise<{ url: string; close(): void }> {
  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const line =
      `${incoming.method} ${incoming.url} ${decodeURIComponent(body.toString().replaceAll('+', ' '))}`.trim();
    const proxied = { line, incoming, answer };
    if (before(proxied)) return;
    if (incoming.method !== 'GET') await beforeChange?.(line);
    const outgoing = send(
      new URL(incoming.url ?? '/', targetUrl),
      { method: incoming.method, headers: incoming.headers },
      (response) => {
        if (after(proxied)) return;
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
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

/** A failure of the quiz service or of something in front of it. */
export type ServiceFault = 'down' | 'slow' | '429' | 'HTML' | 'lost answers' | 'empty answers';

export interface RecordingProxy {
  url: string;
  requests: string[];
  /** Applies to every request, or to those that match, until the next call; `undefined` ends the fault. */
  setFault(fault: ServiceFault | undefined, matches?: (request: string) => boolean): void;
  /** Holds the next change that matches, until it is released. */
  holdChange(matches: (request: string) => boolean): HeldChange;
  close(): void;
}

/** A request that changes something, which the bot has sent and the service does not have yet. */
interface HeldChange {
  /** Resolves when the proxy has the request. */
  arrived: Promise<void>;
  /** Lets it through, or the next one that matches where none has arrived. */
  release(): void;
}

/** A proxy that records each request as `POST /api/v1/quizzes name=Ladders` and can simulate faults. */
export async function startRecordingProxy(
  targetUrl: string,
  options: { beforeChange?: () => Promise<void>; onRequest?: (line: string) => void } = {},
): Promise<RecordingProxy> {
  const requests: string[] = [];
  let currentFault: ServiceFault | undefined;
  let isMatch: (request: string) => boolean = () => true;
  const holds = new Set<{ matches: (request: string) => boolean; arrive: () => void; released: Promise<void> }>();

  async function hold(line: string): Promise<void> {
    for (const held of holds) {
      if (!held.matches(line)) continue;
      holds.delete(held);
      held.arrive();
      await held.released;
    }
  }

  function applyFault({ line, incoming, answer }: ProxiedRequest): boolean {
    if (!isMatch(line)) return false;
    switch (currentFault) {
      case 'down':
        incoming.socket.destroy();
        return true;
      case 'slow':
        return true;
      case '429':
        answer
          .writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' })
          .end('{"message":"Too many requests"}');
        return true;
      case 'HTML':
        answer
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!DOCTYPE html><html><head><title>Maintenance</title></head></html>');
        return true;
      default:
        return false;
    }
  }

  const proxy = await startProxy(targetUrl, {
    async beforeChange(line) {
      await options.beforeChange?.();
      await hold(line);
    },
    before(request) {
      requests.push(request.line);
      options.onRequest?.(request.line);
      return applyFault(request);
    },
    after({ line, incoming, answer }) {
      if (incoming.method === 'GET' || !isMatch(line)) return false;
      if (currentFault === 'lost answers') incoming.socket.destroy();
      else if (currentFault === 'empty answers') answer.writeHead(200).end();
      else return false;
      return true;
    },
  });
  return {
    ...proxy,
    requests,
    setFault(fault, matches = () => true) {
      currentFault = fault;
      isMatch = matches;
    },
    holdChange(matches) {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holds.add({ matches, arrive: arrived.resolve, released: released.promise });
      return { arrived: arrived.promise, release: released.resolve };
    },
  };
}

/**
 * A proxy that loses requests and answers by chance. Reads come through: a lost read is repeated at once.
 *
 * @param options.share of the changes that are lost, from 0 to 1; half of them before the service has them
 * @param options.random from 0 to below 1
 */
export async function startLossyProxy(
  targetUrl: string,
  { share, random }: { share: number; random: () => number },
): Promise<{ url: string; lost: () => number; close(): void }> {
  let lost = 0;
  const lose = ({ line, incoming }: ProxiedRequest): boolean => {
    if (line.startsWith('GET') || random() >= share / 2) return false;
    lost += 1;
    incoming.socket.destroy();
    return true;
  };
  return { ...(await startProxy(targetUrl, { before: lose, after: lose })), lost: () => lost };
}

/** Where a proxy holds a request: before the target receives it, or after the target has answered. */
export type HoldPoint = 'before' | 'after';

export interface HoldingProxy {
  url: string;
  /** The requests that the target has answered, as `POST /api/v1/users/u-1 suspended=true`. */
  passed: string[];
  /** Holds the next matching request forever. Resolves when it is held. */
  hold(matches: (request: string) => boolean, point: HoldPoint): Promise<void>;
  close(): void;
}

/** A proxy that can hold a request, so that a test can kill the bot at an exact point. */
export async function startHoldingProxy(targetUrl: string): Promise<HoldingProxy> {
  const passed: string[] = [];
  let holding: { matches: (request: string) => boolean; point: HoldPoint; held: () => void } | undefined;

  function isHeld(line: string, point: HoldPoint): boolean {
    if (holding?.point !== point || !holding.matches(line)) return false;
    holding.held();
    holding = undefined;
    return true;
  }

  const proxy = await startProxy(targetUrl, {
    before: ({ line }) => isHeld(line, 'before'),
    after({ line }) {
      passed.push(line);
      return isHeld(line, 'after');
    },
  });
  return {
    ...proxy,
    passed,
    hold: (matches, point) => new Promise((resolve) => (holding = { matches, point, held: resolve })),
  };
}
