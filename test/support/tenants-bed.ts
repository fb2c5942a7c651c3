import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/secret-patterns.ts';
import { createTenantsApp } from '../../src/tenants/tenants.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { openTenantWorld, type TenantWorld, type WorldOptions } from './tenant-world.ts';

export type { BedTenant } from './tenant-world.ts';

/** The bots of several tenants in this process. */
export interface TenantsBed extends TenantWorld {
  url: string;
  lines: string[];
  /** Removes a file that stands where the folder of a tenant should be. */
  unblock(name: string): void;
  /** Writes the file of the tenants, and starts the process anew. */
  restart(): Promise<void>;
}

export interface BedOptions extends WorldOptions {
  env?: Record<string, string>;
  clock?: Partial<Clock>;
  /** Called before the process starts. */
  prepare?: (dataDir: string) => void;
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTenantsBed(
  { env = {}, clock = {}, prepare = () => {}, ...options }: BedOptions,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<TenantsBed> {
  const world = await openTenantWorld(options, onClose);
  const { path, dataDir, secrets } = world;
  const lines: string[] = [];
  prepare(dataDir);
  const config = readProcessConfig({ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', ...env });
  const logFor = (of: Parameters<typeof secretsOf>[0]) =>
    createLog({
      level: 'trace',
      secrets: secretsOf(of),
      secretPatterns: slackSecretPatterns,
      write: (line) => lines.push(line),
    });
  const openApp = () =>
    createTenantsApp({
      config,
      clock: { ...systemClock, ...clock },
      timeouts: { leave: 0 },
      log: logFor(config),
      logFor: (of, fields) => logFor(of).child(fields),
      steadyFor: () => undefined,
      path,
      variables: { DATA_DIR: dataDir, ...env, ...secrets },
    });
  let app = await openApp();
  const start = async () => {
    const url = `http://127.0.0.1:${await app.start()}`;
    world.connect(url);
    return url;
  };
  let url = await start();
  onClose(() => app.stop());

  return {
    ...world,
    get url() {
      return url;
    },
    lines,
    unblock: (name) => rmSync(join(dataDir, 'tenants', name)),
    async open(name, of) {
      const tenant = await world.open(name, of);
      world.connect(url);
      return tenant;
    },
    async restart() {
      world.write();
      await app.stop();
      app = await openApp();
      url = await start();
    },
  };
}
