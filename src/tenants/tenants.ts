import { createBot, type Bot } from '../assembly/bot.ts';
import type { ProcessParts } from '../assembly/process.ts';
import type { Config } from '../config.ts';
import { createReadBody } from '../http/read-body.ts';
import type { RouteOf } from '../http/server.ts';
import { bodyLimits } from '../limits.ts';
import { createRefusalLog } from '../observability/refusal-log.ts';
import type { Log } from '../observability/log.ts';
import type { Scrape } from '../observability/scrape.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { SteadyClock } from '../time/steady-clock.ts';
import { openSharedAccount, type SharedAccount } from './account.ts';
import { createSignedRequestsRoute } from './signed-requests.ts';
import { changesBetween } from './changes.ts';
import { routeForTenants } from './routes.ts';
import { createTenant, type Tenant, type TenantState } from './tenant.ts';
import type { TenantEntry, TenantList } from './tenants-file.ts';

type BotEntry = Extract<TenantEntry, { kind: 'bot' }>;

/** The bots of a process, each an instance of the same parts. */
export interface Tenants {
  /** Starts, stops and restarts bots until they are those of the list. The others do not notice. */
  apply(list: TenantList): Promise<void>;
  routeOf: RouteOf;
  scrapes(): readonly Scrape[];
  states(): ReadonlyMap<string, TenantState>;
  beginStop(): void;
  stop(end: { requests: Promise<void>; deadline: Promise<void> }): Promise<void>;
}

/** Starting a bot is work for the processor: more at once would not be faster, and would delay commands of the others. */
const startsAtOnce = 4;

export function createTenants(
  process: ProcessParts,
  {
    logFor,
    steadyFor,
    budgetFor = () => undefined,
  }: {
    /** A log that keeps the secrets of a configuration to itself, and says whose lines they are. */
    logFor: (config: Config, fields: Readonly<Record<string, string>>) => Log;
    steadyFor: () => SteadyClock | undefined;
    /** Default: the limits of the quiz service. */
    budgetFor?: () => RequestBudget | undefined;
  },
): Tenants {
  const { log, clock, timeouts } = process;
  const running = new Map<string, { entry: BotEntry; tenant: Tenant }>();
  const accounts = new Map<string, Promise<SharedAccount>>();
  const opened = new Map<string, SharedAccount>();
  let applying: Promise<void> = Promise.resolve();
  let isStopping = false;

  const usersOf = (account: string) => [...running.values()].filter(({ entry }) => entry.account === account);

  async function accountFor(name: string, config: Config): Promise<SharedAccount> {
    const known = accounts.get(name);
    if (known) return known;
    const takers = () =>
      usersOf(name).flatMap(({ tenant }) => (tenant.state().kind === 'up' ? (tenant.bot()?.taker ?? []) : []));
    const opening = openSharedAccount(
      name,
      { config, takers, log: logFor(config, { account: name }), budget: budgetFor() },
      process,
    );
    accounts.set(name, opening);
    try {
      const account = await opening;
      opened.set(name, account);
      return account;
    } catch (error) {
      accounts.delete(name);
      throw error;
    }
  }

  async function botFor({ config, account }: BotEntry, ownLog: Log): Promise<Bot> {
    const shared = account === undefined ? undefined : await accountFor(account, config);
    return createBot(
      { config, log: ownLog, steady: steadyFor(), account: shared?.account, budget: budgetFor() },
      process,
    );
  }

  /** What comes for it is asked to be sent again later until it has started. @returns starts it */
  function announce(name: string, entry: BotEntry): () => Promise<void> {
    const ownLog = logFor(entry.config, { tenant: name });
    const tenant = createTenant({
      createBot: () => botFor(entry, ownLog),
      stopTimeoutMs: timeouts.stop,
      log: ownLog,
      clock,
    });
    running.set(name, { entry, tenant });
    return async () => {
      if (isStopping) return;
      await tenant.start();
      if (tenant.state().kind === 'up') ownLog.info({ mode: tenant.bot()?.mode }, 'the bot of a tenant is up');
    };
  }

  /** @param used by tenants that go on */
  async function closeUnused(used: ReadonlySet<string>): Promise<void> {
    for (const [name, account] of opened) {
      if (used.has(name)) continue;
      opened.delete(name);
      accounts.delete(name);
      await account.close();
    }
  }

  async function applyNow(list: TenantList): Promise<void> {
    for (const [name, entry] of list)
      if (entry.kind === 'faulty')
        log.error({ tenant: name, faults: entry.faults }, 'a tenant is described wrongly: it stays as it was');
    const { toStop, toStart } = changesBetween(new Map([...running].map(([name, { entry }]) => [name, entry])), list);
    const leaving = toStop.flatMap((name) => running.get(name)?.tenant ?? []);
    for (const name of toStop) running.delete(name);
    const used = new Set([...running.values()].flatMap(({ entry }) => entry.account ?? []));
    const starts = isStopping ? [] : [...toStart].map(([name, entry]) => announce(name, entry));
    await inTurn(leaving, (tenant) => tenant.stop());
    await closeUnused(used);
    await inTurn(starts, (start) => start());
  }

  return {
    async apply(list) {
      const turn = applying.then(() => applyNow(list));
      applying = turn.catch(() => {});
      return turn;
    },
    routeOf: routeForTenants({
      tenant: (name) => running.get(name)?.tenant,
      account: (name) => opened.get(name) ?? opened.get(running.get(name)?.entry.account ?? ''),
      isAccount: (name) => usersOf(name).length > 0,
      running: () => [...running].map(([name, { tenant }]) => [name, tenant] as const),
      isStopping: () => isStopping,
      signedRequests: createSignedRequestsRoute({
        takers: () => [...running.values()].flatMap(({ tenant }) => tenant.bot()?.signedRequests ?? []),
        readBody: createReadBody(bodyLimits),
        onRefused: createRefusalLog({ log, message: 'requests that fit no tenant refused', setTimer: clock.setTimer }),
      }),
    }),
    scrapes: () => [
      ...[...opened.values()].map(({ scrape }) => scrape),
      ...[...running.values()].flatMap(({ tenant }) => tenant.bot()?.scrape ?? []),
    ],
    states: () => new Map([...running].map(([name, { tenant }]) => [name, tenant.state()])),
    beginStop() {
      isStopping = true;
      for (const { tenant } of running.values()) tenant.beginStop();
    },
    async stop(end) {
      await applying;
      await Promise.all([...running.values()].map(({ tenant }) => tenant.stop(end)));
      await Promise.all([...opened.values()].map((account) => account.close()));
    },
  };
}

/** Works through a list, a few at a time. */
async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const next = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: startsAtOnce }, next));
}
