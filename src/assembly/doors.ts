import { version } from '../config.ts';
import { createReadBody } from '../http/bodies.ts';
import { bodyLimits } from '../limits.ts';
import { createHealthGauges, createReadinessRoute } from '../health/health.ts';
import { onlyGet, type Routes } from '../http/server.ts';
import { createScrape, type Scrape } from '../observability/scrape.ts';
import { createSlackEntry } from '../slack/connection/entry.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
import type { BotHealth } from './health.ts';
import type { Kernel } from './kernel.ts';
import type { QueueWork } from './queue-work.ts';
import type { Workspace } from './workspace.ts';

/** Where requests come in: from Slack, the quiz service, agents, and whoever asks how the bot is doing. */
interface Doors {
  /** By path, where the process runs no other bot. */
  routes: Routes;
  /** The metrics of the bot. */
  scrape: Scrape;
  /** Takes what Slack delivers, also where it needs no port. */
  connectSlack(): Promise<void>;
  disconnectSlack(): Promise<void>;
}

export async function createDoors(
  foundation: Foundation,
  account: Account,
  workspace: Workspace,
  { alerts, campaigns, departures, overdue }: QueueWork,
  { governance, status, openRequests }: Kernel,
  { health, useEntry }: BotHealth,
): Promise<Doors> {
  const { config, clock, timeouts, storage, oneAtATime, metrics, inFlight, stopping, log } = foundation;
  const { now } = clock;
  const { connection, openDirectMessages } = workspace;
  const isStopping = () => stopping.signal.aborted;
  const deliveries = { openDirectMessages, inFlight, log };

  const slack = createSlackEntry({
    ...account,
    ...workspace,
    ...deliveries,
    config: config.slack,
    governance,
    openRequests,
    status,
    audienceChanged: campaigns.audienceChanged,
    departures,

    notifiesRespondents: config.notifiesRespondents,
    guardTimeoutMs: timeouts.guard,
    // Room of its own: webhooks, which anyone can send, must not lock out Slack.
    readBody: createReadBody(bodyLimits),
    answeredMessages: { oneAtATime, known: storage.kv('answered-messages') },
    stopping: stopping.signal,
    clock,
  });

  useEntry(slack);

  const takeAgents = await workspace.agents.load({
    ...deliveries,
    governance,
    timeZone: config.timeZone,
    client: connection.client,
    own: async () => connection.identity.known() ?? connection.identity.confirm(),
    version,
    readBody: createReadBody(bodyLimits),
    setTimer: clock.setTimer,
  });

  return {
    routes: {
      '/slack/events': slack.http?.handle,
      '/webhooks/quiz': {
        handle: alerts.takeWebhook,
        from: 'webhook',
      },
      '/webhooks': alerts.missWebhook,
      '/mcp': takeAgents && { handle: takeAgents, from: 'agent' },
      '/readyz': onlyGet(createReadinessRoute({ health, isStopping })),
    },
    scrape: createScrape({
      metrics,
      sources: {
        queues: storage.outbox.queues,
        overdue: async () => overdue.sinceByKind(await storage.outbox.queues()),
        inbox: storage.inbox.countWaiting,
        budget: account.budget.left,
        openApprovals: openRequests,
        subscriptions: alerts.subscriptions,
      },
      lookUpHealth: createHealthGauges(metrics.registry, health),
      log,
      now,
    }),
    connectSlack: () => slack.connect(),
    disconnectSlack: () => slack.disconnect(),
  };
}
