import { randomUUID } from 'node:crypto';
import { createMessagePreferences } from './alerts/direct-messages/preferences.ts';
import { createScrapeSources } from './alerts/status.ts';
import { version, type Config } from './config.ts';
import { createDirectory } from './directory/directory.ts';
import { createIdentity } from './directory/identity.ts';
import { createAuditWatch } from './storage/audit-watch.ts';
import { sweepQueue } from './domain/queue-names.ts';
import { createStoreWatch } from './storage/store-watch.ts';
import { createPassRates } from './directory/pass-rates.ts';
import { createGovernance } from './governance/governance.ts';
import { createPlans } from './governance/perform/plans.ts';
import { createTakeLink, makePassword } from './governance/perform/operation-context.ts';
import { createReadBody } from './http/read-body.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { createClockWatch } from './observability/clock-watch.ts';
import { createHealthRoute, describeService } from './observability/health.ts';
import { createFailureLog } from './observability/failure-log.ts';
import type { Log } from './observability/log.ts';
import { createObservability, currentCorrelationId } from './observability/observability.ts';
import { bodyLimits, standardTimeouts, sweepEveryMs } from './limits.ts';
import { createQueueWork } from './queue-work.ts';
import type { RequestBudget } from './quiz-api/budget/request-budget.ts';
import { createObservedQuizApi } from './quiz-api/observed-quiz-api.ts';
import { createAgents } from './slack/agents.ts';
import { listPeople, lookUpPerson } from './slack/people.ts';
import { createPlatform } from './slack/platform.ts';
import { createSlackConnection } from './slack/connection.ts';
import { createSlackEntry } from './slack/entry.ts';
import { createWorkflowSteps } from './slack/workflow-steps/workflow-steps.ts';
import { openStorage } from './storage/open-storage.ts';
import { systemClock, type Clock } from './time/clock.ts';
import { steadyClockOf, type SteadyClock } from './time/steady-clock.ts';
import { createInFlight } from './time/in-flight.ts';
import { createRepeating } from './time/repeating.ts';

export interface InvigilatorApp {
  /** Resolves when the bot takes requests. @returns the port it listens on */
  start(): Promise<number>;
  /** Accepts nothing new, and finishes what it accepted, within 10 s. */
  stop(): Promise<void>;
}

/**
 * Makes the parts of the bot and hands each what it depends on.
 *
 * @param deps.budget default: the limits of the quiz service
 */
export async function createApp(deps: {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Decides what is forgotten after hours or days. Default: `clock` itself. */
  steady?: SteadyClock;
  budget?: RequestBudget;
  timeouts?: Partial<typeof standardTimeouts>;
}): Promise<InvigilatorApp> {
  const { config, log, clock = systemClock } = deps;
  const { owners, timeZone } = config;
  const { now, sleep } = clock;
  const steady = deps.steady ?? steadyClockOf(now);
  const steadyNow = steady.now;
  const timeouts = { ...standardTimeouts, ...deps.timeouts };

  const observability = await createObservability({
    log,
    traces: { endpoint: config.tracesEndpoint, version, timeoutMs: timeouts.traces },
  });
  const { metrics, beginWork } = observability;
  const inFlight = createInFlight();
  const { storage, redis } = await openStorage({
    ...config,
    clock,
    steady,
    onError: createFailureLog({ log, message: 'the store', setTimer: clock.setTimer }),
  });

  const { budget, isServiceWell, ...service } = createObservedQuizApi({
    ...config.quizApi,
    version,
    timeoutMs: timeouts.quizService,
    budget: deps.budget,
    redis,
    keptRequests: storage.kv('quiz-budget'),
    observability,
    now,
  });
  const { api, passRates } = createPassRates({ api: service.api, now });
  const directory = createDirectory({
    api,
    now,
    onBackgroundError: (error) => log.warn({ error }, 'the directory could not be refreshed'),
  });
  const { users } = directory;
  const connection = createSlackConnection({ ...config.slack, observability, clock });
  const { client, knownTeamId, teamId } = connection;
  const identity = createIdentity({
    api,
    users,
    lookUpPerson: (personId) => lookUpPerson(client, personId, connection.identity.confirm),
    listPeople: (personIds) => listPeople(client, personIds, connection.identity.confirm),
    people: storage.kv('slack-people'),
    teamId: knownTeamId,
    owners,
    now,
  });
  const workspace = createPlatform({
    connection,
    ...config.slack,
    auditChannel: config.auditChannel,
    approvals: config.approvals,
    storage,
    users,
    api: api.users,
    identity,
    owners,
    timeZone,
    log,
    clock,
  });
  const { openDirectMessages, undelivered, people, administrators, auditPosting } = workspace;
  const preferences = createMessagePreferences(storage.kv('direct-messages'));
  const takeLink = createTakeLink(config.quizTakeUrl);

  const auditWatch = createAuditWatch({
    trail: storage.audit,
    teamId,
    onMissing: () => auditPosting?.wake(),
    sleep,
    log,
  });
  const userIds = async () => (await users.get({ priority: 'background' })).map(({ user_id }) => user_id);
  const clockWatch = createClockWatch({ steady, sleep, log, metrics, onJump: () => storage.queues.wake(sweepQueue) });
  const storeWatch = createStoreWatch({
    storage,
    teamId,
    userIds,
    tellAdministrators: workspace.tellAdministrators,
    sleep,
    log,
  });

  const platform = { name: 'Slack' };
  const workflowSteps = createWorkflowSteps({
    isEnabled: config.workflowStepsEnabled,
    ...config.slack,
    storage,
    connection,
    governance: () => governance,
    platform,
    profilesOf: workspace.profilesOf,
    log,
    now,
  });
  const { alerts, batches, campaigns } = createQueueWork({
    ...workflowSteps,
    config,
    storage,
    api,
    directory,
    identity,
    channel: workspace.channel,
    platformOutage: connection.outageWatch,
    beginWork,
    isServiceWell,
    budget,
    teamId,
    readBody: createReadBody(bodyLimits),
    administrators,
    people: { ...preferences, ...people.recipients, holidays: config.holidays, takeUrl: takeLink },
    notifiesRespondents: config.notifiesRespondents,
    runBatch: (queue) => runBatch(queue),
    onSubmission: ({ quizId }) => passRates.forget(quizId),
    steadyNow,
    onNobodyNotified: ({ id, ownerId }) => undelivered.count('paused_alerts', { subscription: id, person: ownerId }),
    onRecorded: () => auditPosting?.wake(),
    log,
    metrics,
    now,
    sleep,
  });

  const agents = createAgents({
    isEnabled: config.mcpEnabled,
    signingSecret: config.slack.signingSecret,
    storage,
    now,
  });
  const status = async () => ({
    agents: agents.state,
    isServiceWell: isServiceWell(),
    unreadable: api.unreadable(),
    requestsLeft: (await budget.left()).windows,
    alerts: await alerts.status(),
    undelivered: await undelivered.status(),
    seesDoNotDisturb: people.seesDoNotDisturb(),
  });
  const openRequests = async () =>
    (await storage.approvals.pending(await teamId())).filter(({ state }) => state === 'open');

  let isStopping = false;
  const governance = createGovernance({
    api,
    directory,
    identity,
    platform,
    makePassword,
    sendFile: workspace.sendFile,
    readFile: workspace.readFile,
    profilesOf: workspace.profilesOf,
    timeZone,
    takeLink,
    status,
    storage,
    alerts: alerts.subscriptionService,
    campaigns: campaigns.service,
    batches: batches.service,
    plans: createPlans({
      store: storage.kv('plans'),
      leases: storage.leases,
      requestTtlMs: config.approvals.ttlMs,
      newId: randomUUID,
      now,
    }),
    agentTokens: agents.tokens,
    reach: people.reach,
    holidays: config.holidays,
    membersOf: workspace.membersOf,
    putAssigned: alerts.putAssigned,
    notifier: workflowSteps.workflows.watching(workspace.notifier),
    owners,
    approvals: config.approvals,
    log,
    metrics,
    steadyNow,
    now,
    sleep,
    newCorrelationId: currentCorrelationId,
    onRecorded: () => auditPosting?.wake(),
    isStopping: () => isStopping,
    track: (work) => void inFlight.track(work),
  });
  const runBatch = batches.createRun({
    ...governance,
    notifiesRespondents: config.notifiesRespondents,
    newCorrelationId: currentCorrelationId,
    log,
  });
  const sweeper = createRepeating({
    work: async () => governance.reconciler.sweep(await teamId()),
    everyMs: sweepEveryMs,
    sleep,
    onError: (error) => log.warn({ error }, 'requests not swept'),
  });

  const slack = createSlackEntry({
    config: config.slack,
    connection,
    openDirectMessages,
    api,
    directory,
    governance,
    openRequests,
    status,
    passRates,
    takeLink,
    preferences,
    campaigns: campaigns.service,
    workflowSteps,
    identity,
    notifiesRespondents: config.notifiesRespondents,
    timeZone,
    guardTimeoutMs: timeouts.guard,
    // Room of its own: webhooks, which anyone can send, must not lock out Slack.
    readBody: createReadBody(bodyLimits),
    inFlight,
    observability,
    clock,
  });

  /** Rejects while Slack does not answer, or in Socket Mode delivers nothing. */
  async function askSlack(): Promise<void> {
    slack.assertConnected();
    await connection.identity.confirm();
  }

  const takeAgents = await agents.load({
    governance,
    client: connection.client,
    openDirectMessages,
    own: async () => connection.identity.known() ?? connection.identity.confirm(),
    timeZone,
    version,
    readBody: createReadBody(bodyLimits),
    inFlight,
    observability,
    setTimer: clock.setTimer,
  });

  const health = createHealthRoute({ eventLoop: observability.eventLoop, isStopping: () => isStopping, now });
  const routes = createRoutes({
    takeWebhook: alerts.takeWebhook,
    takeAgents,
    beginWork,
    health,
    readiness: {
      checks: {
        store: { ask: storeWatch.ask, otherwise: 'the store cannot be used' },
        slack: { ask: askSlack, otherwise: 'Slack cannot be used' },
      },
      notes: () => ({ quizService: describeService(isServiceWell()) }),
      isStopping: () => isStopping,
      timeoutMs: timeouts.readiness,
    },
    scrape: {
      metrics,
      sources: {
        ...createScrapeSources({ storage, budget, openRequests, subscriptions: alerts.subscriptions, now }),
        storeContent: async () => storage.content.loss() === undefined,
        auditTrail: async () => (await storage.audit.missingEnd(await teamId())) === undefined,
      },
      log,
      now,
    },
  });
  const server = createHttpServer({ '/slack/events': slack.handle, ...routes }, log);

  async function finishWork(): Promise<void> {
    if (health.isWatched()) await sleep(timeouts.leave);
    await Promise.all([
      server.close(),
      slack.disconnect(),
      sweeper.stop(),
      auditWatch.stop(),
      storeWatch.stop(),
      clockWatch.stop(),
      connection.outageWatch.stop(),
      auditPosting?.stop(),
    ]);
    // After the answer to the last webhook, which counts it.
    await alerts.stop();
    await inFlight.idle();
    await api.close();
    await observability.tracing.stop();
  }

  return {
    async start() {
      observability.eventLoop.start();
      // A store that does not answer yet must not keep the port closed.
      const port = await server.listen(config.http.port, config.http.host);
      await storage.open();
      if (config.webhook.allowsUnsigned)
        log.warn('WEBHOOK_ALLOW_UNSIGNED is true: webhooks are taken without a signature, as hints');
      else if (config.webhook.secrets.length === 0) log.warn('WEBHOOK_SECRET is not set: every webhook is refused');
      await alerts.start();
      sweeper.start();
      auditWatch.start();
      storeWatch.start();
      clockWatch.start();
      auditPosting?.start();
      connection.outageWatch.onBack(() => {
        auditPosting?.tryAgain();
        sweeper.runSoon();
      });
      directory.load().catch((error: unknown) => log.warn({ error }, 'the directory is not loaded yet'));
      connection.identity.confirm().catch((error: unknown) => log.warn({ error }, 'Slack does not answer yet'));
      await slack.connect();
      if (isStopping) return port;
      log.info({ version, port, mode: slack.handle ? 'http' : 'socket' }, 'the bot is up');
      return port;
    },
    async stop() {
      isStopping = true;
      observability.eventLoop.stop();
      await Promise.race([finishWork(), sleep(timeouts.stop)]);
      await storage.close();
      log.info('the bot is stopped');
    },
  };
}
