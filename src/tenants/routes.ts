import { onlyGet, type Handler, type Route, type RouteOf } from '../http/server.ts';
import type { Tenant } from './tenant.ts';

const byTenant = /^(\/slack\/events|\/mcp|\/readyz|\/webhooks\/quiz)\/([a-z0-9_-]+)$/;

/**
 * Finds what answers a path: `/slack/events/<tenant>`, `/mcp/<tenant>`, `/readyz/<tenant>` or `/webhooks/quiz/<tenant>`. The name
 * only chooses whose secret is checked.
 */
export function routeForTenants(deps: {
  tenants: ReadonlyMap<string, Tenant>;
  /** What takes the webhooks of a tenant whose account others use, too; undefined for an account of its own. */
  sharedWebhooks: (tenant: string) => Route | undefined;
  isStopping: () => boolean;
}): RouteOf {
  const readiness = onlyGet(createTenantsReadiness(deps));
  return (path) => {
    if (path === '/readyz') return readiness;
    const [, base = '', name = ''] = byTenant.exec(path) ?? [];
    const tenant = deps.tenants.get(name);
    // One tenant that is broken must not keep the webhooks of its account from the others.
    const shared = base === '/webhooks/quiz' ? deps.sharedWebhooks(name) : undefined;
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
