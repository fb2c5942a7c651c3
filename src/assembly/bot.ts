import type { Config } from '../config.ts';
import { createAccount, createQuizAccount, type QuizAccount } from './account.ts';
import { createDoors } from './doors.ts';
import { createFoundation, type BotOptions, type Foundation } from './foundation.ts';
import { createBotHealth, type BotHealth } from './health.ts';
import { createKernel, type Kernel } from './kernel.ts';
import type { ProcessParts } from './process.ts';
import type { WebhookTaker } from '../features/webhooks/route.ts';
import { createQueueWork } from './queue-work.ts';
import { createWorkspace, type Workspace } from './workspace.ts';
import type { Routes } from '../http/server.ts';
import type { Log } from '../observability/log.ts';
import type { Scrape } from '../observability/scrape.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import { sweepQueue } from '../domain/queue-names.ts';
import { sweepEveryMs } from '../limits.ts';
import { createClockWatch } from '../observability/liveness.ts';
import { createRepeating } from '../time/timers.ts';

/** One app in one workspace, and the quiz account that it runs. */
export interface Bot {
  /** Answers also before the start, and while the bot stops. */
  routes: Routes;
  scrape: Scrape;
  /** Takes webhooks of an account that several bots use. */
  taker: WebhookTaker;
  /** Opens the store, goes on with what is unfinished, and takes what Slack delivers. */
  start(): Promise<void>;
  /** Begins nothing new from now on. */
  beginStop(): void;
  /**
   * Finishes what it accepted.
   *
   * @param end.requests resolves when no request of the bot is being answered any more
   * @param end.deadline resolves when the bot may not take longer
   */
  stop(end: { requests: Promise<void>; deadline: Promise<void> }): Promise<void>;
}

/**
 * Puts a bot together, each part from those before it.
 *
 * @param options.budget default: the limits of the quiz service
 * @param options.account one that other bots use, too, and that outlives the bot. Default: the bot's own
 */
export async function createBot(
  options: BotOptions & { budget?: RequestBudget | undefined; account?: QuizAccount | undefined },
  process: ProcessParts,
): Promise<Bot> {
  const foundation = await createFoundation(options, process);
  const account = createAccount(foundation, options.account ?? createQuizAccount(foundation, options.budget));
  const workspace = createWorkspace(foundation, account);
  const work = createQueueWork(foundation, account, workspace);
  const health = createBotHealth(foundation, account, workspace);
  const kernel = createKernel(foundation, account, workspace, work, health);
  const watches = createWatches(foundation, workspace, kernel, health);
  const doors = await createDoors(foundation, account, workspace, work, kernel, health);

  const { config, log, storage, inFlight, stopping } = foundation;
  const { identity } = workspace.connection;

  async function finishWork(requests: Promise<void>): Promise<void> {
    await requests;
    await Promise.all([doors.disconnectSlack(), watches.stop()]);
    // After the answer to the last webhook, which counts it.
    await work.stop();
    await inFlight.idle();
    if (options.account === undefined) await account.api.close();
  }

  return {
    routes: doors.routes,
    scrape: doors.scrape,
    taker: work.alerts.taker,
    async start() {
      await storage.open();
      warnOfWebhooks(config, log);
      await work.start(kernel.governance);
      watches.start();
      kernel.evidence
        .signer()
        .catch((error: unknown) => log.warn({ error }, 'the key of evidence packs is made with the first use'));
      account.directory.load().catch((error: unknown) => log.warn({ error }, 'the directory is not loaded yet'));
      identity.confirm().catch((error: unknown) => log.warn({ error }, 'Slack does not answer yet'));
      await doors.connectSlack();
    },
    beginStop() {
      stopping.abort();
    },
    async stop({ requests, deadline }) {
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
interface Watches {
  start(): void;
  stop(): Promise<void>;
}

function createWatches(
  { clock: { sleep }, steady, storage, metrics, log }: Foundation,
  { connection, teamId }: Workspace,
  { governance }: Kernel,
  { watches: healthWatches }: BotHealth,
): Watches {
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
