import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBot } from './bot-process.ts';
import { openKeptClock } from './clock/kept-clock.ts';
import { readSandboxConfig } from './config.ts';
import { openingStart, playOpening } from './opening/opening.ts';
import { startQuizService } from './quiz-service/service.ts';
import { startWorkspace } from './workspace/workspace.ts';

const usualPort = 8080;

// The folder has the logs and databases of the bot and the quiz service.
process.umask(0o077);

const running: (() => Promise<void>)[] = [];
let isStopping = false;
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

try {
  await run();
} catch (error) {
  process.stderr.write(`The sandbox couldn’t start: ${error instanceof Error ? error.message : String(error)}\n`);
}
await stop(1);

/** Starts the sandbox. Resolves when the bot exits. */
async function run(): Promise<void> {
  const config = readSandboxConfig();
  mkdirSync(config.dataDir, { recursive: true });
  const secret = (prefix: string) => `${prefix}-${randomBytes(16).toString('hex')}`;
  const [botToken, signingSecret, webhookSecret, apiKey] = [
    secret('xoxb'),
    secret('sign'),
    secret('hook'),
    secret('key'),
  ];

  // Messages and results of a skipped week stay in the past.
  const clock = openKeptClock(join(config.dataDir, 'clock.json'), {
    startMs: config.hasOpening ? openingStart(Date.now()) : undefined,
    longestStepMs: 60 * 60_000,
  });
  const openWorkspace = (port: number) =>
    startWorkspace({
      host: config.host,
      port,
      manifestPath: ['manifest-mcp.yml', 'manifest-workflows.yml'].map(
        (name) => new URL(`../../${name}`, import.meta.url).pathname,
      ),
      botToken,
      signingSecret,
      clock,
      conversationsFile: join(config.dataDir, 'workspace.bin'),
    });
  const workspace =
    config.port === undefined
      ? await openWorkspace(usualPort).catch(() => openWorkspace(0))
      : await openWorkspace(config.port);
  running.push(() => workspace.close());
  const quizService = await startQuizService({
    host: config.host,
    dataDir: config.dataDir,
    apiKey,
    rough: config.rough || undefined,
    returnUrl: workspace.url,
    now: clock.now,
    startTimer: (wake, delayMs) => clock.after(delayMs, wake),
  });
  running.push(() => quizService.close());
  const logFile = join(config.dataDir, 'bot.log');
  const bot = startBot({
    logFile,
    clock,
    env: {
      ...config.childEnv,
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      QUIZ_API_URL: quizService.url,
      QUIZ_API_KEY: apiKey,
      QUIZ_TIME_ZONE: quizService.timeZone,
      WEBHOOK_SECRET: webhookSecret,
      WEBHOOK_SCHEME: quizService.webhookScheme,
      ALERTS_CHANNEL: workspace.channels.results.id,
      APPROVALS_CHANNEL: workspace.channels.leads.id,
      AUDIT_CHANNEL: workspace.channels.leads.id,
      DATA_DIR: config.dataDir,
      QUIZ_TAKE_URL: `${quizService.url}/take/{quiz_id}`,
      MCP_ENABLED: 'true',
      WORKFLOW_STEPS_ENABLED: 'true',
      TIME_ZONE: config.timeZone,
      LOG_LEVEL: config.logLevel,
    },
  });
  running.push(() => bot.stop());

  const botUrl = await bot.up;
  if (botUrl !== undefined) {
    workspace.setBot(`${botUrl}/slack/events`);
    workspace.setLinks([{ label: 'Take a quiz', url: quizService.url }]);
    quizService.setWebhook({ url: `${botUrl}/webhooks/quiz`, secret: webhookSecret });
    if (config.hasOpening && quizService.isNew) {
      print('Three days of two campaigns go by…');
      await untilReady(botUrl);
      await playOpening({ workspace, quizService, clock });
    }
    print(`The sandbox is up: ${workspace.url}`);
    print(
      `It runs a quiz service, a workspace like Slack, and the bot, which logs to ${logFile}. Press Ctrl+C to stop.`,
    );
  }
  const exitCode = await bot.ended;
  if (!isStopping) print(`The bot stopped with exit code ${exitCode}. See ${logFile}`);
}

/** A bot answers before its store is open, and refuses commands until then. */
async function untilReady(botUrl: string): Promise<void> {
  while (!(await fetch(`${botUrl}/readyz`)).ok) await pause(20);
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const close of running.toReversed()) await close();
  process.exit(code);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
