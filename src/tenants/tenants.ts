import { createBot, type Bot } from '../assembly/bot.ts';
import {
  createProcessParts,
  createProcessServer,
  type InvigilatorApp,
  type ProcessOptions,
} from '../assembly/process.ts';
import { version, type Config } from '../config.ts';
import { createRefusalLog, type Log } from '../observability/log.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { SteadyClock } from '../time/clock.ts';
import { openSharedAccount, createTenant, wrongTenant, type SharedAccount, type Tenant } from './tenant.ts';
import { readTenants, readTenantsFile, type TenantEntry } from './tenants-file.ts';
import { refuseBody } from '../http/bodies.ts';
import { isOfWebhooks, onlyGet, pathOf, type Handler, type Route, type RouteOf } from '../http/server.ts';
import { metricsIn } from '../observability/metrics.ts';

/** Starting a bot is work for the processor: more at once would not be faster, and would delay commands of the others. */
const startsAtOnce = 4;
/** A start that waits for somebody else for longer does not hold up the next one. */
const startTurnMs = 2_000;

/**
 * A process with the bots of a file of tenants, each an instance of the same parts. The file and the secrets that it names are read
 * here: a change of them is a restart.
 *
 * @param options.variables the environment: what the bots share, and secrets that tenants name
 * @throws {ConfigError} where the file can't be read, or tenants of the same account say different things of it
 */
export async function createTenantsApp(
  options: ProcessOptions & {
    path: string;
    variables: Readonly<Record<string, string>>;
    /** A log that keeps the secrets of a configuration to itself, and says whose lines they are. */
    logFor: (config: Config, fields: Readonly<Record<string, string>>) => Log;
    steadyFor: () => SteadyClock | undefined;
    /** Default: the limits of the quiz service. */
    budgetFor?: () => RequestBudget | undefined;
  },
): Promise<InvigilatorApp> {
  const { path, variables, log, logFor, steadyFor, budgetFor = () => undefined } = options;
  const list = readTenants(readTenantsFile(path), variables);
  const process = createProcessParts(options);
  const { clock, timeouts } = process;
  const accounts = new Map<string, Promise<SharedAccount>>();
  const opened = new Map<string, SharedAccount>();
  let isStopping = false;

  /** One that could not be opened is opened again for the next tenant that asks. */
  async function accountFor(name: string, config: Config): Promise<SharedAccount> {
    const known = accounts.get(name);
    if (known) return known;
    const takers = () =>
      [...tenants].flatMap(([user, tenant]) =>
        list.get(user)?.account === name && tenant.state().kind === 'up' ? (tenant.bot()?.taker ?? []) : [],
      );
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

  async function botFor({ config, account }: Extract<TenantEntry, { kind: 'bot' }>, ownLog: Log): Promise<Bot> {
    const shared = account === undefined ? undefined : await accountFor(account, config);
    return createBot(
      { config, log: ownLog, steady: steadyFor(), account: shared?.account, budget: budgetFor() },
      process,
    );
  }

  function tenantFor(name: string, entry: TenantEntry): Tenant {
    if (entry.kind === 'faulty') {
      log.error({ tenant: name, faults: entry.faults }, 'a tenant is described wrongly, and does not run');
      return wrongTenant(entry.faults);
    }
    const ownLog = logFor(entry.config, { tenant: name });
    for (const notice of entry.config.notices) if (!options.config.notices.includes(notice)) ownLog.warn(notice);
    const createOwnBot = () => botFor(entry, ownLog);
    return createTenant({ createBot: createOwnBot, stopTimeoutMs: timeouts.stop, log: ownLog, clock });
  }

  const tenants: ReadonlyMap<string, Tenant> = new Map(
    [...list].map(([name, entry]) => [name, tenantFor(name, entry)] as const),
  );
  const running = metricsIn(process.metrics.registry).gauge(
    'invigilator_tenant_up',
    'Whether the bot of a tenant runs: 1, or 0; /readyz says why it does not',
    'tenant',
  );
  const server = createProcessServer(process, {
    routeOf: routeForTenants({
      tenants,
      sharedWebhooks: (name) => opened.get(list.get(name)?.account ?? '')?.webhooks,
      isStopping: () => isStopping,
      onMissed: createRefusalLog(log, 'webhooks refused', clock.setTimer),
    }),
    scrapes() {
      for (const [tenant, { state }] of tenants) running.set({ tenant }, state().kind === 'up' ? 1 : 0);
      return [
        ...[...opened.values()].map(({ scrape }) => scrape),
        ...[...tenants.values()].flatMap((tenant) => tenant.bot()?.scrape ?? []),
      ];
    },
  });

  /** @returns when the first attempt of each has ended */
  async function startInTurn(rest: Iterable<Tenant>): Promise<void> {
    const attempts: Promise<void>[] = [];
    for (const tenant of rest) {
      const attempt = tenant.start();
      attempts.push(attempt);
      await Promise.race([attempt, clock.sleep(startTurnMs)]);
    }
    await Promise.all(attempts);
  }

  return {
    async start() {
      const port = await server.listen();
      const waiting = tenants.values();
      await Promise.all(Array.from({ length: startsAtOnce }, () => startInTurn(waiting)));
      log.info({ version, port, tenants: tenants.size }, 'the bot is up');
      return port;
    },
    async stop() {
      isStopping = true;
      for (const tenant of tenants.values()) tenant.beginStop();
      await server.stop(async (end) => {
        await Promise.all([...tenants.values()].map((tenant) => tenant.stop(end)));
        await Promise.all([...opened.values()].map((account) => account.close()));
      });
      log.info('the bot is stopped');
    },
  };
}

const byTenant = /^(\/slack\/events|\/mcp|\/readyz|\/webhooks\/quiz)\/([^/]+)$/;

/**
 * Finds what answers a path: `/slack/events/<tenant>`, `/mcp/<tenant>`, `/readyz/<tenant>` or `/webhooks/quiz/<tenant>`. The name
 * only chooses whose secret is checked.
 */
function routeForTenants(deps: {
  tenants: ReadonlyMap<string, Tenant>;
  /** What takes the webhooks of a tenant whose account others use, too; undefined for an account of its own. */
  sharedWebhooks: (tenant: string) => Route | undefined;
  isStopping: () => boolean;
  /** Called for a webhook that was meant for none of them. */
  onMissed: (reason: string) => void;
}): RouteOf {
  const readiness = onlyGet(createTenantsReadiness(deps));
  /** Each tenant of whose name the path reminds counts it. */
  const missed: Handler = (request, response) => {
    const parts = pathOf(request.url ?? '')
      .toLowerCase()
      .split('/');
    const meant = parts
      .map((part) => deps.tenants.get(part)?.bot()?.routes['/webhooks'])
      .find((route) => route !== undefined);
    if (typeof meant === 'function') return meant(request, response);
    deps.onMissed('the path names no tenant');
    return refuseBody(request, response, 404, 'Webhooks are taken at /webhooks/quiz/<tenant>.\n');
  };
  return (path) => {
    if (path === '/readyz') return readiness;
    const [, base = '', name = ''] = byTenant.exec(path) ?? [];
    const tenant = deps.tenants.get(name);
    // One tenant that is broken must not keep the webhooks of its account from the others.
    const shared = base === '/webhooks/quiz' ? deps.sharedWebhooks(name) : undefined;
    if (tenant === undefined && isOfWebhooks(path)) return missed;
    return shared ?? (tenant && ofTenant(tenant, base));
  };
}

/** A tenant whose bot does not run takes nothing, and is asked again. */
function ofTenant(tenant: Tenant, path: string): Route | undefined {
  const bot = tenant.bot();
  if (bot !== undefined) return bot.routes[path];
  return path === '/readyz' ? onlyGet(createProblemRoute(tenant)) : notYet;
}

const notYet: Handler = (_request, response) => {
  response.shouldKeepAlive = false;
  response.writeHead(503, { 'retry-after': '5' }).end('This bot is not running. Send it again later.\n');
};

const asJson = { 'content-type': 'application/json', 'cache-control': 'no-store' };

function createProblemRoute(tenant: Tenant): Handler {
  return (_request, response) => {
    const state = tenant.state();
    const bot = state.kind === 'broken' ? state.problem : `is ${state.kind}`;
    response.writeHead(503, asJson).end(`${JSON.stringify({ ready: false, bot })}\n`);
  };
}

/** `GET /readyz`: 200 where at least one bot runs, since a broken one must not take its process out of service. */
function createTenantsReadiness({
  tenants,
  isStopping,
}: {
  tenants: ReadonlyMap<string, Tenant>;
  isStopping: () => boolean;
}): Handler {
  return (_request, response) => {
    const states = [...tenants].map(([name, tenant]) => [name, tenant.state()] as const);
    const isReady = !isStopping() && (states.length === 0 || states.some(([, { kind }]) => kind === 'up'));
    const problems = states.flatMap(([name, state]) => (state.kind === 'broken' ? [[name, state.problem]] : []));
    const body = {
      ready: isReady,
      ...(isStopping() && { bot: 'is shutting down' }),
      tenants: Object.fromEntries(states.map(([name, { kind }]) => [name, kind])),
      ...(problems.length > 0 && { problems: Object.fromEntries(problems) as Record<string, string> }),
    };
    response.writeHead(isReady ? 200 : 503, asJson).end(`${JSON.stringify(body)}\n`);
  };
}
