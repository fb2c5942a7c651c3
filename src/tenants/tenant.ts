import type { Bot } from '../assembly/bot.ts';
import type { EndOfBots, ProcessParts } from '../assembly/process.ts';
import { publicCodeOf } from '../domain/finding.ts';
import type { Log } from '../observability/log.ts';
import { backoffMs } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';
import { join } from 'node:path';
import { createQuizAccount, createFoundation } from '../assembly/parts.ts';
import type { Config } from '../config.ts';
import { createTurns, createWebhookRoute, type WebhookTaker } from '../features/webhooks/route.ts';
import { createReadBody } from '../http/bodies.ts';
import type { Route } from '../http/server.ts';
import { bodyLimits } from '../limits.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';

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

export type SharedAccount = Awaited<ReturnType<typeof openSharedAccount>>;

/**
 * A quiz account that several tenants use: one budget of requests, one list of everything, one webhook.
 *
 * @param config of any tenant that uses the account: all have the same settings of it
 * @param takers of the tenants that run now
 */
export async function openSharedAccount(
  name: string,
  {
    config,
    takers,
    log,
    budget,
  }: { config: Config; takers: () => readonly WebhookTaker[]; log: Log; budget?: RequestBudget | undefined },
  process: ProcessParts,
) {
  const own = { ...config, tenant: `accounts/${name}`, dataDir: join(process.config.dataDir, 'accounts', name) };
  const foundation = await createFoundation({ config: own, log, labels: { account: name } }, process);
  const { storage, metrics } = foundation;
  await storage.open();
  const account = createQuizAccount(foundation, budget);

  /** Takes each webhook once, for all tenants that use the account. */
  const webhooks: Route = {
    handle: createWebhookRoute({
      rule: { ...config.webhook, timeZone: config.quizApi.timeZone },
      readBody: createReadBody(bodyLimits),
      ...takenByAll(takers),
      whoseAttempt: account.directory.whoseAttempt,
      inTurn: createTurns(),
      log,
      metrics,
      now: process.clock.now,
    }),
    from: 'webhook',
  };
  return {
    account,
    webhooks,
    scrape: () => metrics.registry.metrics(),
    async close() {
      await account.api.close();
      await storage.close();
    },
  };
}

/**
 * An event is taken when each has it on its disk. If one could not keep it, the service sends it again, and the
 * others know it. A tenant counts what it took itself.
 */
function takenByAll(takers: () => readonly WebhookTaker[]): WebhookTaker {
  return {
    async takeEvent(event) {
      if (takers().length === 0) throw new Error('no tenant of the account runs');
      const results = await Promise.all(
        takers().map(async ({ takeEvent, counters }) => {
          const result = await takeEvent(event);
          counters.took(result);
          return result;
        }),
      );
      return results.includes('taken') ? 'taken' : 'known';
    },
    counters: {
      took() {},
      refused: (...why) => takers().forEach(({ counters }) => counters.refused(...why)),
    },
  };
}
