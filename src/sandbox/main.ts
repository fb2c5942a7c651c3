import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBot } from './bot-process.ts';
import { openKeptClock } from './clock/sandbox-clock.ts';
import { readSandboxConfig } from './config.ts';
import { openingStart, playOpening } from './opening/opening.ts';
import { botEnvironment } from './tenants/bot-environment.ts';
import { tenantSamples } from './tenants/blue-harbor.ts';
import type { SandboxTenant } from './tenants/tenant.ts';

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
  const { linkPages, openTenant } = await import('./tenants/tenant.ts');
  mkdirSync(config.dataDir, { recursive: true });
  // Messages and results of a skipped week stay in the past.
  const clock = openKeptClock(join(config.dataDir, 'clock.json'), {
    startMs: config.hasOpening ? openingStart(Date.now()) : undefined,
    longestStepMs: 60 * 60_000,
    // A bot looks for missed webhooks at least every 9 minutes while there are submissions: no moment to stop at.
    longDelayMs: 10 * 60_000,
  });
  const tenants: SandboxTenant[] = [];
  for (const [index, sample] of (config.hasTenants ? tenantSamples : [{}]).entries())
    tenants.push(await openTenant(sample, { config, index, clock, onClose: (close) => running.push(close) }));
  linkPages(tenants);
  const logFile = join(config.dataDir, 'bot.log');
  const bot = startBot({
    logFile,
    clock,
    env: {
      ...config.childEnv,
      ...botEnvironment(tenants, config.dataDir),
      DATA_DIR: config.dataDir,
      LOG_LEVEL: config.logLevel,
    },
  });
  running.push(() => bot.stop());

  const botUrl = await bot.up;
  if (botUrl !== undefined) {
    for (const tenant of tenants) tenant.connect(botUrl);
    const [first] = tenants;
    if (config.hasOpening && first?.quizService.isNew) {
      print('Three days of two campaigns go by…');
      await first.untilReady(botUrl);
      await playOpening({ ...first, clock });
    }
    print(
      config.hasTenants
        ? `The sandbox is up: ${tenants.map(({ workspace }) => `${workspace.url} (${workspace.teamName})`).join(', ')}`
        : `The sandbox is up: ${first?.workspace.url}`,
    );
    const parts = config.hasTenants
      ? 'a quiz service and a workspace like Slack for each, and one process with their bots'
      : 'a quiz service, a workspace like Slack, and the bot';
    print(`It runs ${parts}, which logs to ${logFile}. Press Ctrl+C to stop.`);
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
