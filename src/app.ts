import { version, type Config } from './config.ts';
import type { Log } from './observability/log.ts';
import { createAccount } from './assembly/account.ts';
import { createDoors } from './assembly/doors.ts';
import { createFoundation, type AppOptions } from './assembly/foundation.ts';
import { createBotHealth } from './assembly/health.ts';
import { createKernel } from './assembly/kernel.ts';
import { createQueueWork } from './assembly/queue-work.ts';
import { createWatches } from './assembly/watches.ts';
import { createWorkspace } from './assembly/workspace.ts';
import type { RequestBudget } from './quiz-api/budget/request-budget.ts';

export interface InvigilatorApp {
  /** Resolves when the bot takes requests. @returns the port it listens on */
  start(): Promise<number>;
  /** Accepts nothing new, and finishes what it accepted, within 10 s. */
  stop(): Promise<void>;
}

/**
 * Puts the bot together, each part from those before it.
 *
 * @param options.budget default: the limits of the quiz service
 */
export async function createApp(options: AppOptions & { budget?: RequestBudget }): Promise<InvigilatorApp> {
  const foundation = await createFoundation(options, version);
  const account = createAccount(foundation, options.budget);
  const workspace = createWorkspace(foundation, account);
  const work = createQueueWork(foundation, account, workspace);
  const health = createBotHealth(foundation, account, workspace);
  const kernel = createKernel(foundation, account, workspace, work, health);
  const watches = createWatches(foundation, workspace, kernel, health);
  const doors = await createDoors(foundation, account, workspace, work, kernel, health);

  const { config, log, clock, timeouts, observability, storage, inFlight, stopping } = foundation;
  const { identity } = workspace.connection;

  async function finishWork(): Promise<void> {
    if (doors.isWatched()) await clock.sleep(timeouts.leave);
    await Promise.all([doors.close(), watches.stop()]);
    // After the answer to the last webhook, which counts it.
    await work.stop();
    await inFlight.idle();
    await account.api.close();
    await observability.tracing.stop();
  }

  return {
    async start() {
      observability.eventLoop.start();
      // A store that does not answer yet must not keep the port closed.
      const port = await doors.listen();
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
      if (stopping.signal.aborted) return port;
      log.info({ version, port, mode: doors.mode }, 'the bot is up');
      return port;
    },
    async stop() {
      stopping.abort();
      observability.eventLoop.stop();
      await Promise.race([finishWork(), clock.sleep(timeouts.stop)]);
      await storage.close();
      log.info('the bot is stopped');
    },
  };
}

function warnOfWebhooks({ webhook: { allowsUnsigned, secrets } }: Config, log: Log): void {
  if (allowsUnsigned) log.warn('WEBHOOK_ALLOW_UNSIGNED is true: webhooks are taken without a signature, as hints');
  else if (secrets.length === 0) log.warn('WEBHOOK_SECRET is not set: every webhook is refused');
}
