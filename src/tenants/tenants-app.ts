import { statSync } from 'node:fs';
import {
  createProcessParts,
  createProcessServer,
  type InvigilatorApp,
  type ProcessOptions,
} from '../assembly/process.ts';
import { ConfigError, version } from '../config.ts';
import { createRepeating } from '../time/repeating.ts';
import { createLeftovers } from './leftovers.ts';
import { createTenants } from './tenants.ts';
import { readTenants, readTenantsFile } from './tenants-file.ts';

/** How soon a change of the file counts. */
const looksEveryMs = 2_000;
/** How soon data is erased that is due. */
const leftoversEveryMs = 3_600_000;

/** A process with the bots of a file of tenants. */
export interface TenantsApp extends InvigilatorApp {
  /** Reads the file again, also where only a secret that it names has changed. */
  reload(): Promise<void>;
}

/** @param options.variables the environment: what the bots share, and secrets that tenants name */
export async function createTenantsApp(
  options: ProcessOptions & {
    path: string;
    variables: () => Readonly<Record<string, string>>;
  } & Parameters<typeof createTenants>[1],
): Promise<TenantsApp> {
  const { path, log } = options;
  const parts = await createProcessParts(options);
  const tenants = createTenants(parts, options);
  const server = createProcessServer(parts, tenants);
  const read = () => readTenants(readTenantsFile(path), options.variables());
  // A process whose file can’t be read at its start has nothing to do.
  let list = read();
  let seen = versionOf(path);

  async function reload(): Promise<void> {
    seen = versionOf(path);
    try {
      list = read();
    } catch (error) {
      const faults = error instanceof ConfigError ? error.faults : [String(error)];
      return log.error({ faults }, 'the file of tenants can’t be read: everything stays as it was');
    }
    await tenants.apply(list);
    leftovers.runSoon();
  }

  const lookAtLeftovers = createLeftovers({ config: options.config, log, now: parts.clock.now });
  const leftovers = createRepeating({
    work: () => lookAtLeftovers(list),
    everyMs: leftoversEveryMs,
    sleep: parts.clock.sleep,
    onError: (error) => log.error({ error }, 'the data of removed tenants could not be looked after'),
  });
  const watch = createRepeating({
    async work() {
      if (versionOf(path) !== seen) await reload();
    },
    everyMs: looksEveryMs,
    sleep: parts.clock.sleep,
    onError: (error) => log.error({ error }, 'the file of tenants could not be followed'),
  });

  return {
    async start() {
      const port = await server.listen();
      await tenants.apply(list);
      watch.start();
      leftovers.start();
      log.info({ version, port, tenants: tenants.states().size }, 'the bot is up');
      return port;
    },
    reload,
    async stop() {
      tenants.beginStop();
      await Promise.all([watch, leftovers].map((one) => one.stop()));
      await server.stop((end) => tenants.stop(end));
      log.info('the bot is stopped');
    },
  };
}

/** Changes with the file, also where a link leads to another one. */
function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
}
