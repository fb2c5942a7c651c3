import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';

// What is compiled once is kept beside the packages, for the starts after: half of a start, and the memory that
// stripping types takes, are saved. It has to come before everything else is loaded.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/invigilator', import.meta.url)));
const [{ ConfigError, readConfig, secretsOf }, { createLog }, { createApp }] = await Promise.all([
  import('./config.ts'),
  import('./observability/log.ts'),
  import('./app.ts'),
]);

/** After this, the lists are loaded. */
const settledMs = 2_000;

const config = readConfigOrExit();
const log = createLog({
  level: config.logLevel,
  secrets: secretsOf(config),
  terminal: process.stdout.isTTY ? { isColored: config.allowsColor } : undefined,
});
process.on('unhandledRejection', (error) => log.error({ error }, 'a promise was rejected and nobody listened'));

try {
  const app = await createApp({ config, log });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= app.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.start();
  flushCompileCache();
  // Starting leaves some 10 MB of garbage, which V8 would keep for when the process is busy.
  setTimeout(() => void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' }), settledMs).unref();
} catch (error) {
  log.debug({ error }, 'the start failed');
  exitWith([`The bot could not start: ${error instanceof Error ? error.message : String(error)}`]);
}

function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.faults);
    throw error;
  }
}

function exitWith(lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}
