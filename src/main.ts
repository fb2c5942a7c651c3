import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { InvigilatorApp } from './assembly/process.ts';
import type { Config, ProcessConfig } from './config.ts';

// Keeping compiled code beside the packages halves the time of later starts and saves the memory that type stripping
// takes. It covers only modules that are loaded after this call.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/invigilator', import.meta.url)));
const [
  { ConfigError, readConfig, readProcessConfig, secretsOf, variablesOf },
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

// The store has names of people.
process.umask(0o077);
const only = readOrExit(() => ('TENANTS_FILE' in variablesOf() ? undefined : readBotConfig()));
const config = only ?? readOrExit(() => readProcessConfig());
const log = logFor(config);
process.on('unhandledRejection', (error) => log.error({ error }, 'a promise was rejected and nobody listened'));

try {
  const app = await openApp();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= app.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.start();
  flushCompileCache();
  // V8 collects garbage before its heap grows by more than 40%. This is no flag of the command line, because Node does not use
  // the compiled code of its own modules under other flags, and starts 30 ms later.
  setFlagsFromString('--heap-growing-percent=40');
} catch (error) {
  log.debug({ error }, 'the start failed');
  exitWith(
    error instanceof ConfigError
      ? error.faults
      : [`The bot could not start: ${error instanceof Error ? error.message : String(error)}`],
  );
}

/** One bot, which the environment describes, or those of the file of tenants. */
async function openApp(): Promise<InvigilatorApp> {
  const steadyFor = () => createSteadyClock({ now: Date.now });
  if (only) return createApp({ config: only, log, steady: steadyFor() });
  const { createTenantsApp } = await import('./tenants/tenants.ts');
  return createTenantsApp({
    config,
    log,
    logFor: (ofTenant, fields) => logFor(ofTenant).child(fields),
    steadyFor,
    path: config.tenantsFile ?? '',
    variables: variablesOf(),
  });
}

function logFor(of: Config | ProcessConfig) {
  return createLog({
    level: of.logLevel,
    secrets: secretsOf(of),
    secretPatterns: slackSecretPatterns,
    terminal: process.stdout.isTTY ? { isColored: of.allowsColor } : undefined,
  });
}

function readBotConfig(): Config {
  const read = readConfig();
  const faults = faultsOfLimits(read.rights);
  if (faults.length > 0) throw new ConfigError(faults);
  return read;
}

function readOrExit<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.faults);
    throw error;
  }
}

function exitWith(lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}
