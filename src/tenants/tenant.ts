import type { Bot } from '../assembly/bot.ts';
import type { Handler, Route } from '../http/server.ts';
import type { Log } from '../observability/log.ts';
import { backoffMs } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';
import { createInFlight } from '../time/in-flight.ts';
import { createTurns } from './turns.ts';

/** What a tenant does at the moment. A `broken` one is tried again. */
export type TenantState =
  { kind: 'starting' } | { kind: 'up' } | { kind: 'broken'; problem: string } | { kind: 'stopping' };

/** A tenant whose bot runs, or is to run. */
export interface Tenant {
  state(): TenantState;
  /** Undefined while it has none, and takes nothing. */
  bot(): Bot | undefined;
  /** What answers a path of the bot, counted so that a stop can wait for it. */
  routeOf(path: string): Route | undefined;
  /** Resolves when the first attempt has ended, whether the bot runs or not. */
  start(): Promise<void>;
  beginStop(): void;
  /** @param end default: its own requests, and the usual time */
  stop(end?: { requests: Promise<void>; deadline: Promise<void> }): Promise<void>;
}

/** More webhooks share a transaction, for which the commands of other tenants would have to wait. */
export const webhooksAtOnce = 8;

const startBackoff = { firstMs: 2_000, longestMs: 5 * 60_000, jitter: 0.2 };

/**
 * Runs the bot of a tenant. One that can't be started, such as while its token is refused or its folder is in use, is tried
 * again until it can, and no other tenant notices.
 */
export function createTenant(deps: {
  createBot: () => Promise<Bot>;
  stopTimeoutMs: number;
  log: Log;
  clock: Pick<Clock, 'sleep'>;
}): Tenant {
  const { log, clock } = deps;
  const requests = createInFlight();
  const takeTurn = createTurns(webhooksAtOnce);
  const stopping = new AbortController();
  let state: TenantState = { kind: 'starting' };
  let bot: Bot | undefined;
  let running: Promise<void> = Promise.resolve();

  const usualEnd = () => ({ requests: requests.idle(), deadline: clock.sleep(deps.stopTimeoutMs) });

  async function tryToStart(): Promise<void> {
    try {
      bot = await deps.createBot();
      await bot.start();
      state = { kind: 'up' };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      state = { kind: 'broken', problem };
      log.error({ error }, 'the bot of a tenant could not start: it is tried again');
      const failed = bot;
      bot = undefined;
      await failed
        ?.stop(usualEnd())
        .catch((stopError: unknown) => log.warn({ error: stopError }, 'a bot could not stop'));
    }
  }

  async function startAgain(): Promise<void> {
    for (let failures = 1; state.kind === 'broken' && !stopping.signal.aborted; failures += 1) {
      await clock.sleep(backoffMs(failures, startBackoff), stopping.signal);
      if (!stopping.signal.aborted) await tryToStart();
    }
  }

  function counted(handle: Handler): Handler {
    return (request, response) => requests.track(Promise.resolve(handle(request, response)));
  }

  function inTurn(handle: Handler): Handler {
    return (request, response) => takeTurn(async () => handle(request, response));
  }

  return {
    state: () => (stopping.signal.aborted ? { kind: 'stopping' } : state),
    bot: () => bot,
    routeOf(path) {
      const route = bot?.routes[path];
      if (route === undefined || typeof route === 'function') return route && counted(route);
      return { ...route, handle: counted(path === '/webhooks/quiz' ? inTurn(route.handle) : route.handle) };
    },
    async start() {
      const first = tryToStart();
      running = first.then(startAgain);
      await first;
    },
    beginStop() {
      stopping.abort();
      bot?.beginStop();
    },
    async stop(end = usualEnd()) {
      stopping.abort();
      await running;
      await bot?.stop(end);
      bot = undefined;
    },
  };
}
