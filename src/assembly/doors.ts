import { createScrapeSources } from '../alerts/status.ts';
import { version } from '../config.ts';
import { createReadBody } from '../http/read-body.ts';
import { createRoutes } from '../http/routes.ts';
import { createHttpServer } from '../http/server.ts';
import { bodyLimits } from '../limits.ts';
import { createHealthRoute, describeService } from '../observability/health.ts';
import { createSlackEntry } from '../slack/entry.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
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

/** @param askStore rejects while the store cannot be used */
export async function createDoors(
  foundation: Foundation,
  account: Account,
  workspace: Workspace,
  { alerts, campaigns }: QueueWork,
  { governance, status, openRequests }: Kernel,
  askStore: () => Promise<void>,
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
    notifiesRespondents: config.notifiesRespondents,
    guardTimeoutMs: timeouts.guard,
    // Room of its own: webhooks, which anyone can send, must not lock out Slack.
    readBody: createReadBody(bodyLimits),
    clock,
  });

  /** Rejects while Slack does not answer, or in Socket Mode delivers nothing. */
  async function askSlack(): Promise<void> {
    slack.assertConnected();
    await connection.identity.confirm();
  }

  const takeAgents = await workspace.agents.load({
    ...deliveries,
    governance,
    client: connection.client,
    own: async () => connection.identity.known() ?? connection.identity.confirm(),
    version,
    readBody: createReadBody(bodyLimits),
    setTimer: clock.setTimer,
  });

  const health = createHealthRoute({ eventLoop: observability.eventLoop, isStopping, now });
  const routes = createRoutes({
    takeWebhook: alerts.takeWebhook,
    takeAgents,
    beginWork: observability.beginWork,
    health,
    readiness: {
      checks: {
        store: { ask: askStore, otherwise: 'the store cannot be used' },
        slack: { ask: askSlack, otherwise: 'Slack cannot be used' },
      },
      notes: () => ({ quizService: describeService(account.isServiceWell()) }),
      isStopping,
      timeoutMs: timeouts.readiness,
    },
    scrape: {
      metrics: observability.metrics,
      sources: {
        ...createScrapeSources({
          storage,
          budget: account.budget,
          openRequests,
          subscriptions: alerts.subscriptions,
          now,
        }),
        storeContent: async () => storage.content.loss() === undefined,
        auditTrail: async () => (await storage.audit.missingEnd(await workspace.teamId())) === undefined,
      },
      log,
      now,
    },
  });
  const server = createHttpServer({ '/slack/events': slack.handle, ...routes }, log);

  return {
    listen: () => server.listen(config.http.port, config.http.host),
    connectSlack: () => slack.connect(),
    mode: slack.handle ? 'http' : 'socket',
    isWatched: health.isWatched,
    async close() {
      await Promise.all([server.close(), slack.disconnect()]);
    },
  };
}
