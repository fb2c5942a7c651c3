import { createScrapeSources } from '../features/alerts/status.ts';
import { version } from '../config.ts';
import { createReadBody } from '../http/read-body.ts';
import { createRoutes } from '../http/routes.ts';
import { createHttpServer } from '../http/server.ts';
import { bodyLimits } from '../limits.ts';
import { createHealthGauges } from '../health/gauges.ts';
import { createReadinessRoute } from '../health/readiness.ts';
import { createHealthRoute } from '../observability/liveness.ts';
import { createSlackEntry } from '../slack/connection/entry.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
import type { BotHealth } from './health.ts';
import type { Kernel } from './kernel.ts';
import type { QueueWork } from './queue-work.ts';
import type { Workspace } from './workspace.ts';

/** Where requests come in: from Slack, the quiz service, agents, and whoever asks how the bot is doing. */
export interface Doors {
  /** @returns the port */
  listen(): Promise<number>;
  /** Takes what Slack delivers, also where it needs no port. */
  connectSlack(): Promise<void>;
  mode: 'http' | 'socket';
  /** Whether a load balancer asks for the health. */
  isWatched: () => boolean;
  close(): Promise<void>;
}

export async function createDoors(
  foundation: Foundation,
  account: Account,
  workspace: Workspace,
  { alerts, campaigns, departures, answersFor, overdue }: QueueWork,
  { governance, status, openRequests }: Kernel,
  { health, useEntry }: BotHealth,
): Promise<Doors> {
  const { config, clock, timeouts, storage, observability, inFlight, stopping, log } = foundation;
  const { now } = clock;
  const { connection, openDirectMessages } = workspace;
  const isStopping = () => stopping.signal.aborted;
  const deliveries = { openDirectMessages, timeZone: config.timeZone, inFlight, observability };

  const slack = createSlackEntry({
    ...account,
    ...workspace,
    ...deliveries,
    config: config.slack,
    governance,
    openRequests,
    status,
    campaigns: campaigns.service,
    audienceChanged: campaigns.audienceChanged,
    departures,
    answersFor,
    notifiesRespondents: config.notifiesRespondents,
    guardTimeoutMs: timeouts.guard,
    // Room of its own: webhooks, which anyone can send, must not lock out Slack.
    readBody: createReadBody(bodyLimits),
    clock,
  });

  useEntry(slack);

  const takeAgents = await workspace.agents.load({
    ...deliveries,
    governance,
    client: connection.client,
    own: async () => connection.identity.known() ?? connection.identity.confirm(),
    version,
    readBody: createReadBody(bodyLimits),
    setTimer: clock.setTimer,
  });

  const liveness = createHealthRoute({ eventLoop: observability.eventLoop, isStopping, now });
  const routes = createRoutes({
    takeWebhook: alerts.takeWebhook,
    takeAgents,
    beginWork: observability.beginWork,
    health: liveness,
    readiness: createReadinessRoute({ health, isStopping }),
    scrape: {
      metrics: observability.metrics,
      sources: createScrapeSources({
        storage,
        overdue,
        budget: account.budget,
        openRequests,
        subscriptions: alerts.subscriptions,
        now,
      }),
      lookUpHealth: createHealthGauges(observability.metrics.registry, health),
      log,
      now,
    },
  });
  const server = createHttpServer({ '/slack/events': slack.handle, ...routes }, log);

  return {
    listen: () => server.listen(config.http.port, config.http.host),
    connectSlack: () => slack.connect(),
    mode: slack.handle ? 'http' : 'socket',
    isWatched: liveness.isWatched,
    async close() {
      await Promise.all([server.close(), slack.disconnect()]);
    },
  };
}
