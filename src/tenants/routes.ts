import { onlyGet, type Handler, type Route, type RouteOf } from '../http/server.ts';
import type { SharedAccount } from './account.ts';
import type { Tenant } from './tenant.ts';

const byTenant = /^(\/slack\/events|\/mcp|\/readyz|\/webhooks\/quiz)\/([a-z0-9_-]+)$/;

/**
 * Finds what answers a path: `/slack/events/<tenant>`, `/mcp/<tenant>`, `/readyz/<tenant>`, `/webhooks/quiz/<tenant>`, or
 * `/webhooks/quiz/<account>` for an account that several tenants use. The name only chooses whose secret is checked.
 */
export function routeForTenants(deps: {
  tenant: (name: string) => Tenant | undefined;
  /** By its own name, or that of a tenant that shares it. */
  account: (name: string) => SharedAccount | undefined;
  /** Whether a name is that of an account which tenants share, also before it is opened. */
  isAccount: (name: string) => boolean;
  running: () => readonly (readonly [string, Tenant])[];
  /** `/slack/events` without a name. */
  signedRequests: Handler;
  isStopping: () => boolean;
}): RouteOf {
  const readiness = onlyGet(createTenantsReadiness(deps));
  return (path) => {
    if (path === '/readyz') return readiness;
    if (path === '/slack/events') return deps.signedRequests;
    const [, base = '', name = ''] = byTenant.exec(path) ?? [];
    const tenant = deps.tenant(name);
    if (base === '/webhooks/quiz') {
      const account = deps.account(name);
      if (account !== undefined) return account.webhooks;
      if (deps.isAccount(name)) return notYet;
    }
    return tenant && ofTenant(tenant, base);
  };
}

/** A tenant whose bot is being started takes nothing, and is asked again. */
function ofTenant(tenant: Tenant, path: string): Route | undefined {
  return tenant.bot() === undefined ? notYet : tenant.routeOf(path);
}

const notYet: Handler = (_request, response) => {
  response.shouldKeepAlive = false;
  response.writeHead(503, { 'retry-after': '5' }).end('This bot is not running. Send it again later.\n');
};

/** `GET /readyz`: 200 where at least one bot runs, since a broken one must not take its process out of service. */
function createTenantsReadiness({
  running,
  isStopping,
}: {
  running: () => readonly (readonly [string, Tenant])[];
  isStopping: () => boolean;
}): Handler {
  return (_request, response) => {
    const states = running().map(([name, tenant]) => [name, tenant.state()] as const);
    const isReady = !isStopping() && (states.length === 0 || states.some(([, { kind }]) => kind === 'up'));
    const body = {
      ready: isReady,
      ...(isStopping() && { bot: 'is shutting down' }),
      tenants: Object.fromEntries(states.map(([name, { kind }]) => [name, kind])),
    };
    response
      .writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(`${JSON.stringify(body)}\n`);
  };
}
