import type { IncomingMessage, ServerResponse } from 'node:http';
import { TimedOutError, withTimeout } from '../time/clock.ts';

/** Something the bot cannot work without. */
export interface Check {
  /** Rejects while it is unavailable. */
  ask: () => Promise<unknown>;
  /** Names the problem when `ask` rejects, such as `the store cannot be used`; the error's code follows in brackets. */
  otherwise: string;
}

const standardTimeoutMs = 2_000;

/**
 * `GET /readyz`: 200 when every check passes and the bot is not stopping, otherwise 503 with the problems as JSON. `notes`
 * appear in the answer without deciding it. Answers within about `timeoutMs`, even while a check hangs.
 */
export function createReadinessRoute(options: {
  checks: Readonly<Record<string, Check>>;
  notes?: () => Readonly<Record<string, string>>;
  isStopping?: () => boolean;
  timeoutMs?: number;
}) {
  const { checks, notes = () => ({}), isStopping = () => false, timeoutMs = standardTimeoutMs } = options;
  const inFlight = new Map<string, Promise<string>>();

  /** Requests that come while a check hangs share its result, so that they do not pile up. */
  function resultOf(name: string, check: Check): Promise<string> {
    const known = inFlight.get(name);
    if (known) return known;
    const asked = runCheck(check).finally(() => inFlight.delete(name));
    inFlight.set(name, asked);
    return asked;
  }

  async function resultInTime(name: string, check: Check): Promise<readonly [string, string]> {
    const result = await withTimeout(timeoutMs, resultOf(name, check)).catch((error: unknown) =>
      describeProblem(check, error),
    );
    return [name, result];
  }

  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => resultInTime(name, check)));
    const isReady = !isStopping() && results.every(([, result]) => result === 'ok');
    const stopping = isStopping() ? { bot: 'is shutting down' } : {};
    answer(response, isReady ? 200 : 503, { ready: isReady, ...stopping, ...Object.fromEntries(results), ...notes() });
  };
}

async function runCheck(check: Check): Promise<string> {
  try {
    await check.ask();
    return 'ok';
  } catch (error) {
    return describeProblem(check, error);
  }
}

function describeProblem({ otherwise }: Check, error: unknown): string {
  return error instanceof TimedOutError
    ? `${otherwise} (it does not answer in time)`
    : `${otherwise} (${codeOf(error)})`;
}

/** The code of an error, not its message: messages may contain addresses, and anyone can open the page. */
function codeOf(error: unknown): string {
  const { data, code, cause } = Object(error) as { data?: { error?: unknown }; code?: unknown; cause?: unknown };
  const known = [data?.error, Object(cause).code, code].find(
    (text) => typeof text === 'string' && /^[\w.-]{1,60}$/.test(text),
  );
  return typeof known === 'string' ? known : error instanceof Error ? error.name : 'unknown';
}

/** A process that was blocked this long does not work, even if it answers now. */
const longestBlockMs = 10_000;

/** Load balancers check about every second, container runtimes every ten. */
const watchedWithinMs = 5_000;

/** `GET /healthz`: 200 unless the process was recently blocked for long, or is stopping, so that load balancers choose other instances. */
export function createHealthRoute(options: {
  eventLoop: Pick<EventLoopWatch, 'longestDelayMs'>;
  isStopping?: () => boolean;
  now?: () => number;
}) {
  const { eventLoop, isStopping = () => false, now = Date.now } = options;
  let askedAt: readonly number[] = [];
  return {
    handle(_request: IncomingMessage, response: ServerResponse): void {
      askedAt = [...askedAt.slice(-1), now()];
      const eventLoopDelayMs = Math.round(eventLoop.longestDelayMs());
      const isHeldUp = eventLoopDelayMs >= longestBlockMs;
      const isAlive = !isHeldUp && !isStopping();
      const trouble = isHeldUp ? { trouble: 'the process was held up: it could do nothing for this long' } : {};
      const stopping = isStopping() ? { bot: 'is shutting down' } : {};
      answer(response, isAlive ? 200 : 503, { alive: !isHeldUp, eventLoopDelayMs, ...trouble, ...stopping });
    },
    /** Whether a load balancer checks this route: it was asked twice within 5 s. */
    isWatched: () => askedAt.length === 2 && askedAt[0]! > now() - watchedWithinMs,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(`${JSON.stringify(body)}\n`);
}

/** Notices when the event loop is blocked, by a long computation or by a machine that is too busy. */
export interface EventLoopWatch {
  /** The longest delay of the last 30 seconds, in milliseconds. */
  longestDelayMs(): number;
  start(): void;
  stop(): void;
}

const checksEveryMs = 500;
const rememberedForMs = 30_000;

/** Measures how late a regular timer fires. */
export function createEventLoopWatch({
  clock = () => performance.now(),
  every = repeat,
}: {
  /** Milliseconds, by a clock that never goes back. */
  clock?: () => number;
  /** @returns a function that ends the repetition */
  every?: (ms: number, run: () => void) => () => void;
} = {}): EventLoopWatch {
  let delays: { at: number; ms: number }[] = [];
  let expectedAt = Infinity;
  let end = () => {};

  function check(): void {
    const at = clock();
    const ms = Math.max(0, at - expectedAt);
    // A delay that is both older and shorter can never again be the longest.
    delays = [...delays.filter((delay) => isRemembered(delay) && delay.ms > ms), { at, ms }];
    expectedAt = at + checksEveryMs;
  }

  const isRemembered = ({ at }: { at: number }) => at > clock() - rememberedForMs;

  return {
    longestDelayMs: () => Math.max(0, clock() - expectedAt, ...delays.filter(isRemembered).map(({ ms }) => ms)),
    start() {
      expectedAt = clock() + checksEveryMs;
      end = every(checksEveryMs, check);
    },
    stop() {
      end();
      expectedAt = Infinity;
    },
  };
}

function repeat(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

/** The quiz service in a note of `/readyz`. `isWell`: whether it answered the last request; undefined before the first. */
export function describeService(isWell: boolean | undefined): string {
  if (isWell === undefined) return 'not asked yet';
  return isWell ? 'ok' : 'did not answer the last request; people see an error message';
}
