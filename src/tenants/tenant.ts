import type { Bot } from '../assembly/bot.ts';
import type { EndOfBots } from '../assembly/process.ts';
import { publicCodeOf } from '../domain/finding.ts';
import type { Log } from '../observability/log.ts';
import { backoffMs } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';

/** What a tenant does at the moment. A `broken` one is tried again, unless the file describes it wrongly. */
type TenantState = { kind: 'starting' } | { kind: 'up' } | { kind: 'broken'; problem: string } | { kind: 'stopping' };

/** A tenant whose bot runs, or is to run. */
export interface Tenant {
  state(): TenantState;
  /** Undefined while it has none, and takes nothing. */
  bot(): Bot | undefined;
  /** Resolves when the first attempt has ended, whether the bot runs or not. */
  start(): Promise<void>;
  beginStop(): void;
  stop(end: EndOfBots): Promise<void>;
}

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
  const stopping = new AbortController();
  let state: TenantState = { kind: 'starting' };
  let bot: Bot | undefined;
  let running: Promise<void> = Promise.resolve();

  async function tryToStart(): Promise<void> {
    try {
      bot = await deps.createBot();
      await bot.start();
      state = { kind: 'up' };
      log.info('the bot of a tenant is up');
    } catch (error) {
      state = { kind: 'broken', problem: `could not start (${publicCodeOf(error)}), and is tried again` };
      log.error({ error }, 'the bot of a tenant could not start: it is tried again');
      const failed = bot;
      bot = undefined;
      await failed
        ?.stop({ requests: Promise.resolve(), deadline: clock.sleep(deps.stopTimeoutMs) })
        .catch((stopError: unknown) => log.warn({ error: stopError }, 'a bot could not stop'));
    }
  }

  async function startAgain(): Promise<void> {
    for (let failures = 1; state.kind === 'broken' && !stopping.signal.aborted; failures += 1) {
      await clock.sleep(backoffMs(failures, startBackoff), stopping.signal);
      if (!stopping.signal.aborted) await tryToStart();
    }
  }

  return {
    state: () => (stopping.signal.aborted ? { kind: 'stopping' } : state),
    bot: () => bot,
    async start() {
      if (stopping.signal.aborted) return;
      const first = tryToStart();
      running = first.then(startAgain);
      await first;
    },
    beginStop() {
      stopping.abort();
      bot?.beginStop();
    },
    async stop(end) {
      await running;
      await bot?.stop(end);
    },
  };
}

/** A tenant that the file describes wrongly: nothing starts it but a restart with a better file. */
export function wrongTenant(faults: readonly string[]): Tenant {
  return {
    state: () => ({ kind: 'broken', problem: faults.join(' ') }),
    bot: () => undefined,
    start: async () => {},
    beginStop() {},
    stop: async () => {},
  };
}
