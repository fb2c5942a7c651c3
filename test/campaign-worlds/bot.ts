import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { webhookSecret } from '../support/event.ts';
import { recordingLog } from '../support/log.ts';
import { createOpenBudget } from '../support/mock-service.ts';
import { botToken, signingSecret } from '../support/open-test-bed.ts';
import type { LeapingClock } from './leaping-clock.ts';

export const apiKey = 'key-of-the-test-bed';

/** The bot of a world, one life after the other over the same store. */
interface WorldBot {
  url: () => string;
  /** Ends it while it works: what it had begun is not finished. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Warnings and errors in its log. */
  complaints: () => string[];
}

export async function startWorldBot(
  { workspace, quizService }: { workspace: Workspace; quizService: QuizService },
  { clock, dataDir, holidays }: { clock: LeapingClock; dataDir: string; holidays: readonly string[] },
): Promise<WorldBot> {
  const { log, lines } = recordingLog();
  const config = readConfig({
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: workspace.apiUrl,
    SLACK_SIGNING_SECRET: signingSecret,
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY: apiKey,
    QUIZ_TIME_ZONE: quizService.timeZone,
    WEBHOOK_SECRET: webhookSecret,
    WEBHOOK_SCHEME: 'body,timestamp-secret',
    HOLIDAYS: holidays.join(','),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
  });
  let life: { url: string; end(): Promise<void> } | undefined;

  async function start(): Promise<void> {
    const own = clock.forBot();
    const app = await createApp({
      config,
      log,
      clock: own.clock,
      // The requests of a world are few, but those of all its campaigns come in the same minutes.
      budget: createOpenBudget(),
      timeouts: { stop: 1, leave: 1 },
    });
    const url = `http://127.0.0.1:${await clock.during(app.start())}`;
    workspace.setBot(`${url}/slack/events`);
    life = {
      url,
      async end() {
        workspace.setBot(undefined);
        await clock.during(app.stop());
        own.end();
      },
    };
  }

  await start();
  return {
    url: () => life?.url ?? '',
    async kill() {
      await life?.end();
      life = undefined;
    },
    start,
    complaints: () => lines.filter((line) => /"level":(?:40|50|60)/.test(line)),
  };
}
