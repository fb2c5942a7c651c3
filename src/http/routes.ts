import { createMetricsRoute } from '../observability/scrape.ts';
import type { BeginWork } from '../observability/tracing.ts';
import { onlyGet, type Handler, type WorkRoute } from './server.ts';

/** The bot’s own routes, by path. */
export function createRoutes(deps: {
  takeWebhook: Handler;
  beginWork: BeginWork;
  /** `POST /mcp`; undefined where agents are turned off. */
  takeAgents: Handler | undefined;
  health: { handle: Handler };
  readiness: Handler;
  scrape: Parameters<typeof createMetricsRoute>[0];
}): Readonly<Record<string, Handler | WorkRoute | undefined>> {
  const { beginWork, takeAgents } = deps;
  return {
    '/webhooks/quiz': {
      handle: deps.takeWebhook,
      beginWork: (run) => beginWork({ from: 'webhook', name: 'POST /webhooks/quiz', kind: 'server' }, run),
    },
    '/mcp': takeAgents && {
      handle: takeAgents,
      beginWork: (run) => beginWork({ from: 'agent', name: 'POST /mcp', kind: 'server' }, run),
    },
    '/healthz': onlyGet(deps.health.handle),
    '/readyz': onlyGet(deps.readiness),
    '/metrics': onlyGet(createMetricsRoute(deps.scrape)),
  };
}
