import { createApp } from './app.ts';
import type { InvigilatorApp } from './assembly/process.ts';
import {
  ConfigError,
  readConfig,
  readProcessConfig,
  secretsOf,
  variablesOf,
  type Config,
  type ProcessConfig,
} from './config.ts';
import { startProblem } from './configuration/start-problem.ts';
import { joinNetwork } from './http/outbound.ts';
import { createLog } from './observability/log.ts';
import { failedFor } from './quiz-api/errors.ts';
import { slackSecretPatterns } from './slack/errors.ts';
import { isRefusedToken } from './slack/slack-finding.ts';
import { createSteadyClock } from './time/clock.ts';

// The store has names of people.
process.umask(0o077);
const only = readOrExit(() => ('TENANTS_FILE' in variablesOf() ? undefined : readConfig()));
const config = only ?? readOrExit(() => readProcessConfig());
const log = logFor(config);
joinNetwork(config);
for (const notice of config.notices) log.warn(notice);
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
} catch (error) {
  log.debug({ error }, 'the start failed');
  exitWith(
    error instanceof ConfigError
      ? error.faults
      : [
          `The bot could not start: ${startProblem(error, config) ?? (error instanceof Error ? error.message : String(error))}`,
        ],
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
    hasOwnLine: (error) => isRefusedToken(error) || failedFor(error, 'forbidden'),
  });
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
