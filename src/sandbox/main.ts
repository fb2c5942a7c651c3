import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBot } from './bot-process.ts';
import { openKeptClock } from './clock/sandbox-clock.ts';
import { readSandboxConfig } from './config.ts';
import { openingStart, playOpening } from './opening/opening.ts';

// The folder has the logs and databases of the bot and the quiz service.
process.umask(0o077);

const running: (() => Promise<void>)[] = [];
let isStopping = false;
process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

try {
  await run();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'ERR_MODULE_NOT_FOUND' ? 'packages for development are missing. Run npm ci, without --omit=dev.' : message;
  process.stderr.write(`The sandbox couldn’t start: ${why}\n`);
}
await stop(1);

/** Starts the sandbox. Resolves when the bot exits. */
async function run(): Promise<void> {
  const config = readSandboxConfig();
  const { openServices } = await import('./services.ts');
  mkdirSync(config.dataDir, { recursive: true });
  // Messages and results of a skipped week stay in the past.
  const clock = openKeptClock(join(config.dataDir, 'clock.json'), {
    startMs: config.hasOpening ? openingStart(Date.now()) : undefined,
    longestStepMs: 60 * 60_000,
    // A bot looks for missed webhooks at least every 9 minutes while there are submissions: no moment to stop at.
    longDelayMs: 10 * 60_000,
  });
  const services = await openServices(config, clock, (close) => running.push(close));
  const logFile = join(config.dataDir, 'bot.log');
  const bot = startBot({
    logFile,
    clock,
    env: {
      ...config.childEnv,
      ...services.botEnvironment,
      DATA_DIR: config.dataDir,
    },
  });
  running.push(() => bot.stop());

  const botUrl = await bot.up;
  if (botUrl !== undefined) {
    services.connect(botUrl);
    if (config.hasOpening && services.quizService.isNew) {
      print('Three days of two campaigns go by…');
      await services.untilReady(botUrl);
      await playOpening({ ...services, clock });
    }
    print(`The sandbox is up: ${services.workspace.url}`);
    print(
      `It runs a quiz service, a workspace like Slack, and the bot, which logs to ${logFile}. Press Ctrl+C to stop.`,
    );
  }
  const exitCode = await bot.ended;
  if (!isStopping) print(`The bot stopped with exit code ${exitCode}. See ${logFile}`);
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
