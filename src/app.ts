import { WebClient } from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import { createAlerts } from './alerts/alerts.ts';
import { createScrapeSources } from './alerts/scrape-sources.ts';
import { version, type Config } from './config.ts';
import { createDirectory } from './directory/directory.ts';
import { createPassRates } from './directory/pass-rates.ts';
import { createIdentity } from './directory/identity.ts';
import { createSweeper } from './governance/approvals/reconcile.ts';
import { explainFailure } from './governance/explain-failure.ts';
import { createGovernance } from './governance/governance.ts';
import { makePassword } from './governance/operation-context.ts';
import { createReadBody } from './http/read-body.ts';
import { createHttpServer, onlyGet } from './http/server.ts';
import { createHealthRoute, createReadinessRoute } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createObservability, currentCorrelationId } from './observability/observability.ts';
import { createMetricsRoute } from './observability/scrape.ts';
import { createRedisLedger } from './quiz-api/budget/redis-ledger.ts';
import { createRequestBudget, type RequestBudget } from './quiz-api/budget/request-budget.ts';
import { createObserveCall } from './quiz-api/observe-calls.ts';
import { createQuizApi } from './quiz-api/quiz-api.ts';
import { createServiceHealth } from './quiz-api/service-health.ts';
import { observeGovernance } from './slack/observed-governance.ts';
import { createAnnouncementChannel } from './slack/announcement-channel.ts';
import { createFindAdministrators } from './slack/administrators.ts';
import { createNotifier } from './slack/notifier.ts';
import { createAuditPosting } from './slack/audit-posting.ts';
import { createSlackAdapter, webClientOptions } from './slack/bolt.ts';
import { observeDeliveries } from './slack/deliveries.ts';
import { translateSlackError } from './slack/errors.ts';
import { createFileSender } from './slack/file-sender.ts';
import { createWorkspaceGuard } from './slack/workspace-guard.ts';
import { createHome } from './slack/home.ts';
import { createBotIdentity } from './slack/bot-identity.ts';
import { registerListeners } from './slack/listeners/register.ts';
import { slackLogger } from './slack/logger.ts';
import { createObservedFetch } from './slack/observed-fetch.ts';
import { createSlackMetrics } from './slack/metrics.ts';
import { createRateLimitFetch } from './slack/rate-limit-fetch.ts';
import { lookUpPerson } from './slack/people.ts';
import { createAnswerAt } from './slack/response-url.ts';
import { openStorage } from './storage/open-storage.ts';
import { systemClock, type Clock } from './time/clock.ts';
import { createInFlight } from './time/in-flight.ts';
import { withTimeout } from './time/with-timeout.ts';

/** How long an expired request, or one that a crash left unfinished, may wait for the bot to notice. */
const roundsEveryMs = 30_000;

/** What came from Slack and is worked on at a time: more than that is refused at once, before anybody waits for nothing. */
const deliveriesAtMost = 1_000;

const bodyLimits = { eachBytes: 1024 * 1024, allBytes: 64 * 1024 * 1024 };

/** Limits of the time that something may take, in milliseconds. Tests shorten them. */
const standardTimeouts = {
  /** A stop waits this long for running work. */
  stop: 9_000,
  /** Right after a start, a delivery waits this long for Slack to name the bot's workspace: people see an error after 3 s. */
  guard: 1_000,
  readiness: 2_000,
  quizService: 10_000,
  traces: 5_000,
};

export interface InvigilatorApp {
  /** Resolves when the bot takes requests. @returns the port it listens on */
  start(): Promise<number>;
  /** Takes nothing new, finishes what it took, within 10 s. */
  stop(): Promise<void>;
}

/** Puts the bot together: everything it is made of is made here, and handed to whoever needs it. @param deps.budget unless given: the service's limits */
export async function createApp(deps: { config: Config; log: Log; clock?: Clock; budget?: RequestBudget; timeouts?: Partial<typeof standardTimeouts> }): Promise<InvigilatorApp> {
  const { config, log, clock = systemClock } = deps;
  const { now, sleep } = clock;
  const timeouts = { ...standardTimeouts, ...deps.timeouts };
  const { metrics, tracing, beginWork, eventLoop } = await createObservability({ log, traces: { endpoint: config.tracesEndpoint, version, timeoutMs: timeouts.traces } });
  const slackMetrics = createSlackMetrics(metrics.registry);
  const readBody = createReadBody(bodyLimits);
  const { storage, redis } = await openStorage({ ...config, clock, onError: (error) => log.warn({ error }, 'the store') });
  const { apiKey } = config.quizApi;
  const ledger = redis && createRedisLedger({ client: redis, apiKey, onError: (error) => log.warn({ error }, 'an answer is not in the request budget') });
  const budget = deps.budget ?? createRequestBudget({ ledger, now });
  const observeCall = createObserveCall({ metrics, tracing, log });
  const serviceHealth = createServiceHealth();
  const api = createQuizApi({
    ...config.quizApi,
    timeoutMs: timeouts.quizService,
    budget,
    onCall(call) {
      serviceHealth.observe(call);
      observeCall(call);
    },
  });

  const logger = slackLogger(log);
  // The runtime's own fetch would load undici a second time.
  const fetch = createObservedFetch({ ...config.slack, metrics: slackMetrics, tracing, log, fetch: undiciFetch });
  const rateLimitFetch = createRateLimitFetch(fetch, sleep);
  const slackOptions = { ...webClientOptions, slackApiUrl: config.slack.apiUrl, logger, fetch };
  const slack = new WebClient(config.slack.botToken, { ...slackOptions, fetch: rateLimitFetch });
  const botIdentity = createBotIdentity(slack, now);

  const directory = createDirectory({
    api,
    now,
    onBackgroundError: (error) => log.warn({ error }, 'the directory could not be refreshed'),
  });
  const identity = createIdentity({
    api,
    users: directory.users,
    lookUpPerson: (personId) => lookUpPerson(slack, personId, botIdentity.known()?.teamId),
    people: storage.kv('slack-people'),
    teamId: () => botIdentity.known()?.teamId,
    owners: config.owners,
  });
  const { timeZone } = config;
  const inFlight = createInFlight();
  // Posting twice shows twice: what failed is posted again by who knows whether it was.
  const postingClient = new WebClient(config.slack.botToken, { ...slackOptions, retryConfig: { retries: 0 } });
  const administrators = createFindAdministrators({ client: slack, users: directory.users, owners: config.owners, personIds: storage.kv('slack-ids'), teamId: () => botIdentity.known()?.teamId });
  const notifier = createNotifier({ client: postingClient, ...config.approvals, administrators, timeZone, log });
  const teamId = async () => botIdentity.known()?.teamId ?? (await botIdentity.confirm()).teamId ?? '';
  const alerts = createAlerts({
    storage,
    channel: createAnnouncementChannel(config.slack.botToken, slackOptions),
    beginWork,
    responses: api.responses,
    quizIds: async () => (await directory.quizzes.get({ priority: 'background' })).map(({ quiz_id }) => quiz_id),
    configuredChannelId: config.alertsChannel,
    rule: config.webhook,
    readBody,
    budget,
    teamId,
    administrators,
    timeZone,
    log,
    metrics,
    now,
    sleep,
  });
  const status = async () => ({
    isServiceWell: serviceHealth.isWell(),
    requestsLeft: (await budget.left()).windows,
    alerts: await alerts.status(),
  });
  const governance = createGovernance({
    api,
    directory,
    identity,
    platform: { name: 'Slack' },
    makePassword,
    sendFile: createFileSender(slack),
    timeZone,
    status,
    storage,
    alerts: alerts.subscriptionService,
    notifier,
    approvals: config.approvals,
    log,
    metrics,
    now,
    sleep,
    newCorrelationId: currentCorrelationId,
    onRecorded: () => auditPosting?.wake(),
    track: (work) => void inFlight.track(work),
  });
  const auditPosting =
    config.auditChannel === undefined
      ? undefined
      : createAuditPosting({
          client: postingClient,
          channel: config.auditChannel,
          trail: storage.audit,
          leases: storage.leases,
          posted: storage.kv('audit-posted'),
          teamId,
          timeZone,
          log,
          now,
          sleep,
        });
  const sweeper = createSweeper({
    reconciler: governance.reconciler,
    teamId,
    everyMs: roundsEveryMs,
    sleep,
    log,
  });

  const slackAdapter = createSlackAdapter({
    ...config.slack,
    logger,
    fetch: rateLimitFetch,
    self: () => botIdentity.known() ?? {},
    onError: (error) => log.error({ error }, 'a listener failed'),
    now,
    readBody,
    isFull: () => inFlight.count() >= deliveriesAtMost,
  });
  observeDeliveries(slackAdapter.app, { beginWork, metrics: slackMetrics, log });
  slackAdapter.app.use(({ next }) => inFlight.track(next()));
  slackAdapter.app.use(createWorkspaceGuard({ ownTeamId: () => withTimeout(timeouts.guard, teamId()).catch(() => undefined), audit: governance.audit, now, newCorrelationId: currentCorrelationId }));
  const logAndExplain = (error: unknown) => {
    const correlationId = currentCorrelationId();
    log.error({ error, correlationId }, 'a listener could not answer');
    return explainFailure(translateSlackError(error), correlationId, now()).message;
  };
  const openRequests = async () => (await storage.approvals.pending(await teamId())).filter(({ state }) => state === 'open');
  const home = createHome({
    client: slack,
    api,
    directory,
    passRates: createPassRates({ api, now }),
    permissions: governance.permissions,
    timeZone,
    logAndExplain,
    openRequests,
    status,
  });
  const actor = observeGovernance({ governance, home, tracing, track: (work) => void inFlight.track(work), log });
  registerListeners(slackAdapter.app, { ...governance, ...actor, directory, answerAt: createAnswerAt(rateLimitFetch, sleep), timeZone, sleep, logAndExplain }, home);

  let isStopping = false;
  const server = createHttpServer(
    {
      '/slack/events': slackAdapter.handle,
      '/webhooks/quiz': {
        handle: alerts.takeWebhook,
        beginWork: (run) => beginWork({ from: 'webhook', name: 'POST /webhooks/quiz', kind: 'server' }, run),
      },
      '/healthz': onlyGet(createHealthRoute(eventLoop)),
      '/readyz': onlyGet(createReadinessRoute({
        checks: {
          store: { ask: storage.ping, otherwise: 'the store cannot be used' },
          slack: { ask: botIdentity.confirm, otherwise: 'Slack cannot be used' },
        },
        notes: () => ({ quizService: describeService(serviceHealth.isWell()) }),
        isStopping: () => isStopping,
        timeoutMs: timeouts.readiness,
      })),
      '/metrics': onlyGet(createMetricsRoute({
        metrics,
        sources: createScrapeSources({ storage, budget, openRequests, subscriptions: alerts.subscriptions, now }),
        log,
        now,
      })),
    },
    log,
  );

  async function finishWork(): Promise<void> {
    await Promise.all([server.close(), slackAdapter.disconnect(), sweeper.stop(), auditPosting?.stop()]);
    // After the last webhook was answered, or it would not be counted.
    await alerts.stop();
    await inFlight.idle();
    await api.close();
    await tracing.stop();
  }

  return {
    async start() {
      await storage.open();
      eventLoop.start();
      const port = await server.listen(config.http.port, config.http.host);
      if (config.webhook.allowsUnsigned) log.warn('WEBHOOK_ALLOW_UNSIGNED is true: webhooks are taken without a signature, as hints');
      else if (config.webhook.secrets.length === 0) log.warn('WEBHOOK_SECRET is not set: every webhook is refused');
      await alerts.start();
      sweeper.start();
      auditPosting?.start();
      const background = { priority: 'background' } as const;
      Promise.all([directory.users, directory.quizzes, directory.groups].map((list) => list.refresh(background))).catch((error: unknown) =>
        log.warn({ error }, 'the directory is not loaded yet'),
      );
      botIdentity.confirm().catch((error: unknown) => log.warn({ error }, 'Slack does not answer yet'));
      await slackAdapter.connect();
      log.info({ version, port, mode: slackAdapter.handle ? 'http' : 'socket' }, 'the bot is up');
      return port;
    },
    async stop() {
      isStopping = true;
      eventLoop.stop();
      await Promise.race([finishWork(), sleep(timeouts.stop)]);
      await storage.close();
      log.info('the bot is stopped');
    },
  };
}

function describeService(isWell: boolean | undefined): string {
  if (isWell === undefined) return 'not asked yet';
  return isWell ? 'ok' : 'did not answer when it was last asked; people are told so';
}
