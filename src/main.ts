import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';

// Keeping compiled code beside the packages halves the time of later starts and saves the memory that type stripping
// takes. It covers only modules that are loaded after this call.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/invigilator', import.meta.url)));
const [
  { ConfigError, readConfig, secretsOf },
  { createLog },
  { slackSecretPatterns },
  { createApp },
  { createSteadyClock },
  { faultsOfLimits },
] = await Promise.all([
  import('./config.ts'),
  import('./observability/log.ts'),
  import('./slack/secret-patterns.ts'),
  import('./app.ts'),
  import('./time/steady-clock.ts'),
  import('./governance/rights/limits.ts'),
]);

const config = readConfigOrExit();
// The store has names of people.
process.umask(0o077);
const log = createLog({
  level: config.logLevel,
  secrets: secretsOf(config),
  secretPatterns: slackSecretPatterns,
  terminal: process.stdout.isTTY ? { isColored: config.allowsColor } : undefined,
});
process.on('unhandledRejection', (error) => log.error({ error }, 'a promise was rejected and nobody listened'));

try {
  const app = await createApp({ config, log, steady: createSteadyClock({ now: Date.now }) });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= app.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.start();
  flushCompileCache();
} catch (error) {
  log.debug({ error }, 'the start failed');
  exitWith([`The bot could not start: ${error instanceof Error ? error.message : String(error)}`]);
}

function readConfigOrExit(): Config {
  try {
    const read = readConfig();
    const faults = faultsOfLimits(read.rights);
    return faults.length === 0 ? read : exitWith(faults);
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.faults);
    throw error;
  }
}

function exitWith(lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}
