import type { IncomingMessage, ServerResponse } from 'node:http';
import { every, type SetTimer, type SteadyClock } from '../time/clock.ts';
import { createRepeating, type Repeating } from '../time/timers.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Load balancers check about every second, container runtimes every ten. */
const watchedWithinMs = 5_000;

/**
 * `GET /healthz`: 200 unless the bot is stopping, so that load balancers choose other instances. It says whether the process
 * answers now: one that was held up is well again as soon as it answers, and the host that held it up holds up the others too.
 */
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
      const stopping = isStopping() ? { bot: 'is shutting down' } : {};
      answer(response, isStopping() ? 503 : 200, { alive: true, eventLoopDelayMs, ...stopping });
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

export type EventLoopWatch = ReturnType<typeof createEventLoopWatch>;

const checksEveryMs = 500;
/** A shorter delay is usual on a machine that does other work, too. */
const heldUpFromMs = 1_000;
const rememberedForMs = 30_000;

/**
 * Notices when the event loop is blocked, by a long computation or by a machine that is too busy: then a regular timer fires late.
 *
 * @param onHeldUp called with each delay of a second or longer, in milliseconds
 */
export function createEventLoopWatch({
  onHeldUp = () => {},
  clock = () => performance.now(),
  repeat = every,
}: {
  onHeldUp?: (ms: number) => void;
  /** Milliseconds, by a clock that never goes back. */
  clock?: () => number;
  /** @returns a function that ends the repetition */
  repeat?: SetTimer;
} = {}) {
  let delays: { at: number; ms: number }[] = [];
  let expectedAt = Infinity;
  let end = () => {};

  function check(): void {
    const at = clock();
    const ms = Math.max(0, at - expectedAt);
    // A delay that is both older and shorter can never again be the longest.
    delays = [...delays.filter((delay) => isRemembered(delay) && delay.ms > ms), { at, ms }];
    if (ms >= heldUpFromMs) onHeldUp(ms);
    expectedAt = at + checksEveryMs;
  }

  const isRemembered = ({ at }: { at: number }) => at > clock() - rememberedForMs;

  return {
    /** The longest delay of the last 30 seconds, in milliseconds. */
    longestDelayMs: () => Math.max(0, clock() - expectedAt, ...delays.filter(isRemembered).map(({ ms }) => ms)),
    start(): void {
      expectedAt = clock() + checksEveryMs;
      end = repeat(check, checksEveryMs);
    },
    stop(): void {
      end();
      expectedAt = Infinity;
    },
  };
}

const everyMs = 1_000;

/**
 * Looks at the clock every second, and reports when it was set.
 *
 * @param deps.onJump wakes what waits for a time of the clock before
 */
export function createClockWatch(deps: {
  steady: SteadyClock;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
  metrics: Pick<Metrics, 'clockJumps'>;
  onJump: () => Promise<void>;
}): Repeating {
  const { steady, log } = deps;
  const warn = (error: unknown) => log.warn({ error }, 'what waits for a time goes on later');
  steady.onJump((byMs) => {
    log.error(
      { bySeconds: Math.round(byMs / 1000) },
      'the clock of this machine was set: nothing is forgotten because of it. Check NTP',
    );
    deps.metrics.clockJumps.inc();
    deps.onJump().catch(warn);
  });
  return createRepeating({ work: async () => void steady.now(), everyMs, sleep: deps.sleep, onError: warn });
}
