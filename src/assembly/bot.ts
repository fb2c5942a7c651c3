import { type Config, version } from '../config.ts';
import { createParts, type Parts } from './parts.ts';
import type { EndOfBots, ProcessParts } from './process.ts';
import { createQueueWork, type QueueWork } from './queue-work.ts';
import { type Routes, onlyGet } from '../http/server.ts';
import { type Log, currentCorrelationId } from '../observability/log.ts';
import { createScrape } from '../observability/scrape.ts';
import { inboxQueue, sweepQueue } from '../domain/queues.ts';
import { sharedCode } from '../domain/subscription.ts';
import { sweepEveryMs, bodyLimits } from '../limits.ts';
import { createClockWatch } from '../observability/liveness.ts';
import { createRepeating } from '../time/timers.ts';
import type { Check } from '../domain/finding.ts';
import { createHealth, createHealthWatch, createHealthGauges, createReadinessRoute } from '../health/health.ts';
import { slackCheck } from '../slack/slack-finding.ts';
import { storeChecks } from '../storage/checks.ts';
import { readInbox } from '../storage/records.ts';
import { randomUUID } from 'node:crypto';
import { createEvidenceTools } from '../features/evidence/signing-keys.ts';
import { createGovernance } from '../governance/governance.ts';
import { makePassword } from '../governance/passwords/grants.ts';
import { createPlans } from '../governance/perform/plans.ts';
import { createReadBody } from '../http/bodies.ts';
import { createSlackEntry } from '../slack/connection/entry.ts';

/** One app in one workspace, and the quiz account that it runs. */
export type Bot = Awaited<ReturnType<typeof createBot>>;

/**
 * Puts a bot together: what it is made of, what runs in its queues, how it is, the kernel, and the doors. It starts from the store
 * outwards, so that nothing comes in before it can be kept, and stops the other way round.
 */
export async function createBot(options: Parameters<typeof createParts>[0], process: ProcessParts) {
  const parts = await createParts(options, process);
  const work = createQueueWork(parts);
  const health = createBotHealth(parts);
  const kernel = createKernel(parts, work, health);
  const watches = createWatches(parts, kernel, health);
  const doors = await createDoors(parts, work, kernel, health);
  const { config, log, storage, inFlight, stopping } = parts;

  async function finishWork(requests: Promise<void>): Promise<void> {
    await requests;
    await Promise.all([doors.disconnectSlack(), watches.stop()]);
    // After the answer to the last webhook, which counts it.
    await work.stop();
    await inFlight.idle();
    if (options.account === undefined) await parts.api.close();
  }

  return {
    /** Answers also before the start, and while the bot stops. */
    routes: doors.routes,
    scrape: doors.scrape,
    /** Takes webhooks of an account that several bots use. */
    taker: work.alerts.taker,
    /** Opens the store, goes on with what is unfinished, and takes what Slack delivers. */
    async start(): Promise<void> {
      await storage.open();
      warnOfWebhooks(config, log);
      await work.start(kernel.governance);
      watches.start();
      kernel.evidence
        .signer()
        .catch((error: unknown) => log.warn({ error }, 'the key of evidence packs is made with the first use'));
      parts.directory.load().catch((error: unknown) => log.warn({ error }, 'the directory is not loaded yet'));
      parts.connection.identity.confirm().catch((error: unknown) => log.warn({ error }, 'Slack does not answer yet'));
      await doors.connectSlack();
    },
    /** Begins nothing new from now on. */
    beginStop(): void {
      stopping.abort();
    },
    /** Finishes what it accepted. */
    async stop({ requests, deadline }: EndOfBots): Promise<void> {
      stopping.abort();
      await Promise.race([finishWork(requests), deadline]);
      await storage.close();
      log.info('the bot is stopped');
    },
  };
}

function warnOfWebhooks({ webhook: { allowsUnsigned, secrets } }: Config, log: Log): void {
  if (allowsUnsigned) log.warn('WEBHOOK_ALLOW_UNSIGNED is true: webhooks are taken without a signature, as hints');
  else if (secrets.length === 0) log.warn('WEBHOOK_SECRET is not set: every webhook is refused');
}

/** What the bot looks at from time to time, by itself. */
function createWatches(
  { clock: { sleep }, steady, storage, metrics, log, connection, teamId }: Parts,
  { governance }: Kernel,
  { watches: healthWatches }: BotHealth,
) {
  const clock = createClockWatch({ steady, sleep, log, metrics, onJump: () => storage.queues.wake(sweepQueue) });
  const requests = createRepeating({
    work: async () => governance.reconciler.sweep(await teamId()),
    everyMs: sweepEveryMs,
    sleep,
    onError: (error) => log.warn({ error }, 'requests not swept'),
  });

  return {
    start() {
      for (const watch of [requests, clock, ...healthWatches]) watch.start();
      connection.outageWatch.onBack(() => requests.runSoon());
    },
    async stop() {
      await Promise.all([requests, clock, ...healthWatches, connection.outageWatch].map((watch) => watch.stop()));
    },
  };
}

type BotHealth = ReturnType<typeof createBotHealth>;

/** How the bot is: readiness, status, notices and metrics ask this. */
function createBotHealth(parts: Parts) {
  const { storage, timeouts, log, connection } = parts;
  const { now, sleep } = parts.clock;
  let assertConnected = () => {};
  const ofStore = storeChecks({
    ...parts,
    userIds: async () => (await parts.directory.users.get({ priority: 'background' })).map(({ user_id: id }) => id),
    onCompared: () => watch.runSoon(),
  });
  const slack = slackCheck(async () => {
    assertConnected();
    await connection.identity.confirm();
  });
  const checks: Check[] = [...ofStore, slack, parts.serviceCheck];
  const health = createHealth({
    checks,
    timeoutMs: timeouts.readiness,
    now,
    onFound(check, finding) {
      const { code, since, forOperator } = finding;
      log.error({ check: check.name, code, since }, forOperator);
    },
  });
  const watch = createHealthWatch({ ...parts, health, sleep, log });
  storage.content.onLoss(() => watch.runSoon());

  return {
    health,
    /** Looks by itself. */
    watches: [watch],
    /** Slack delivers through an entry that is made later than the status that shows whether it does. */
    useEntry(entry: { assertConnected(): void }) {
      assertConnected = () => entry.assertConnected();
    },
  };
}

type Kernel = ReturnType<typeof createKernel>;

/** The one way to change anything, and how the bot is doing: gives the kernel the services of the features. */
function createKernel(
  parts: Parts,
  { alerts, answers, batches, campaigns, departures, erasing }: QueueWork,
  { health }: BotHealth,
) {
  const { config, clock, steady, storage, oneAtATime, inFlight, stopping, log } = parts;
  const { api, budget, agents, undelivered, workflowSteps, teamId } = parts;
  const { now, sleep } = clock;
  const evidence = createEvidenceTools({
    store: storage.kv('evidence-key'),
    oneAtATime,
    madeSince: config.evidenceKeySince,
    now,
  });
  const evidenceKey = async () => {
    const { fingerprint, from } = (await evidence.signer()).keys[0];
    return { fingerprint, from };
  };
  const status = async () => ({
    agents: agents.state,
    health: await health.look(),
    unreadable: api.unreadable(),
    requestsLeft: (await budget.left()).windows,
    alerts: await alerts.status(),
    undelivered: await undelivered.status(),
    refused: await parts.refused.status(),
    evidenceKey: await evidenceKey(),
    seesDoNotDisturb: parts.seesDoNotDisturb(),
    noManagers: parts.managers.problem(),
  });
  const plans = createPlans({
    store: storage.kv('plans'),
    oneAtATime,
    requestTtlMs: config.approvals.ttlMs,
    newId: randomUUID,
    now,
  });
  /** By workspace. */
  const services = new Map<string, ReturnType<typeof servicesOf>>();
  const servicesOf = (team: string) => ({
    alerts: alerts.subscriptionService(team),
    campaigns: campaigns.service(team),
    batches: batches.service(team),
    departures: departures.service(team),
    erasing: erasing.service(team),
    plans: plans(team),
  });
  const governance = createGovernance({
    ...config,
    ...parts,
    makePassword,
    status,
    evidence,
    ownSettings: (team, personId) => ({
      turnMessages: async (to) => parts.preferences.turn(team, personId, to),
      chooseLanguage: async (language) => parts.languages.choose(personId, language),
    }),
    ofWorkspace(team) {
      const known = services.get(team) ?? servicesOf(team);
      services.set(team, known);
      return known;
    },
    answers,
    onRecorded(team) {
      parts.onRecorded(team);
      inFlight
        .track(departures.accountChanged(team))
        .catch((error: unknown) => log.warn({ error }, 'lists of people who left show it by the next morning'));
    },
    agentTokens: agents.tokens,
    rightsLent: workflowSteps.rightsLent,
    managersOf: parts.managers.managersOf,
    putAssigned: alerts.putAssigned,
    notifier: workflowSteps.workflows.watching(parts.notifier),
    steadyNow: steady.now,
    now,
    sleep,
    newCorrelationId: currentCorrelationId,
    isStopping: () => stopping.signal.aborted,
    track: (work) => void inFlight.track(work),
  });
  const openRequests = async () =>
    (await storage.approvals.pending(await teamId())).filter(({ state }) => state === 'open');
  return { governance, status, openRequests, evidence };
}

/** Where requests come in: from Slack, the quiz service, agents, and whoever asks how the bot is doing. */
async function createDoors(
  parts: Parts,
  { alerts, campaigns, departures, overdue }: QueueWork,
  { governance, status, openRequests }: Kernel,
  { health, useEntry }: BotHealth,
) {
  const { config, clock, timeouts, storage, oneAtATime, metrics, inFlight, stopping, log } = parts;
  const { now } = clock;
  const { connection, openDirectMessages } = parts;
  const isStopping = () => stopping.signal.aborted;
  const deliveries = { openDirectMessages, inFlight, log };

  const slack = createSlackEntry({
    ...parts,
    ...deliveries,
    config: config.slack,
    governance,
    openRequests,
    status,
    audienceChanged: campaigns.audienceChanged,
    departures,
    async channelShared(teamId, channelId) {
      await alerts.pauseChannel(teamId, channelId, sharedCode);
      await campaigns.channelShared(teamId, channelId);
    },
    notifiesRespondents: config.notifiesRespondents,
    guardTimeoutMs: timeouts.guard,
    // Room of its own: webhooks, which anyone can send, must not lock out Slack.
    readBody: createReadBody(bodyLimits),
    answeredMessages: { oneAtATime, known: storage.kv('answered-messages') },
    stopping: stopping.signal,
    clock,
  });

  useEntry(slack);

  const takeAgents = await parts.agents.load({
    ...deliveries,
    governance,
    timeZone: config.timeZone,
    client: connection.client,
    own: async () => connection.identity.known() ?? connection.identity.confirm(),
    version,
    readBody: createReadBody(bodyLimits),
    setTimer: clock.setTimer,
  });

  const routes: Routes = {
    '/slack/events': slack.http?.handle,
    '/webhooks/quiz': {
      handle: alerts.takeWebhook,
      from: 'webhook',
    },
    '/webhooks': alerts.missWebhook,
    '/mcp': takeAgents && { handle: takeAgents, from: 'agent' },
    '/readyz': onlyGet(createReadinessRoute({ health, isStopping })),
  };
  return {
    routes,
    scrape: createScrape({
      metrics,
      sources: {
        queues: async () => (await storage.outbox.queues()).filter(({ queue }) => queue !== inboxQueue),
        overdue: async () => overdue.sinceByKind(await storage.outbox.queues()),
        inbox: async () => readInbox(storage.outbox),
        budget: parts.budget.left,
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
