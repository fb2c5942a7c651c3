import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { right, type Diagnosis } from '../domain/finding.ts';
import type { Clock, SteadyClock } from '../time/clock.ts';
import type { StoreReading } from './checks.ts';
import { knownStoreFileName } from './passport.ts';
import type { RedisConnection } from './redis/connection.ts';
import { fileName } from './sqlite/file.ts';
import type { Storage } from './records.ts';
import { InvigilatorError } from '../domain/errors.ts';

/**
 * SQLite without configuration, Redis where its address is given. What is not used is not loaded.
 * @returns with the connection to Redis, if any, for other state that instances share
 * @throws {DataDirInUseError} where another process uses the folder
 */
export async function openStorage(options: {
  dataDir: string;
  redisUrl: string | undefined;
  /** Whose bot it is, where several share Redis. Each has a folder of its own. */
  tenant?: string | undefined;
  clock: Clock;
  /** Goes on from where the bot ran before. */
  steady?: SteadyClock;
  onError: (error: unknown) => void;
}): Promise<{ storage: Storage; redis: RedisConnection | undefined }> {
  const { dataDir, redisUrl, clock, steady, onError } = options;
  if (redisUrl !== undefined) {
    const file = join(dataDir, fileName);
    if (existsSync(file))
      onError(
        new Error(`${file} is not used, since REDIS_URL is set: npm run move-to-redis brings along what is in it`),
      );
    const { createRedisStorage } = await import('./redis/redis-storage.ts');
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    } catch {
      // Writing the file of the known content fails, too, and is logged.
    }
    const storage = createRedisStorage({
      url: redisUrl,
      tenant: options.tenant,
      ...clock,
      onError,
      contentFile: contentFileFor(dataDir, redisUrl),
      ...(steady && { steady }),
    });
    return { storage, redis: storage.client };
  }
  const { openSqliteStorage } = await import('./sqlite/sqlite-storage.ts');
  return { storage: openSqliteStorage(dataDir, { ...clock, ...(steady && { steady }), onError }), redis: undefined };
}

/** The file with what the bot knows of the content of this Redis. */
export function contentFileFor(dataDir: string, redisUrl: string): string {
  const { protocol, host, pathname, search } = new URL(redisUrl);
  const address = createHash('sha256').update([protocol, host, pathname, search].join(' ')).digest('hex').slice(0, 16);
  return join(dataDir, `known-redis-${address}.json`);
}

type StoreConfig = { dataDir: string; redisUrl: string | undefined; tenant?: string | undefined };

/** The store of a configuration, to be read, with the file of what the bot knows of its content. */
export async function openReading({
  dataDir,
  redisUrl,
  tenant,
}: StoreConfig): Promise<{ reading: StoreReading; contentFile: string }> {
  if (redisUrl === undefined) {
    const { readSqlite } = await import('./sqlite/doctor.ts');
    return { reading: readSqlite(dataDir), contentFile: join(dataDir, knownStoreFileName) };
  }
  const { readRedis } = await import('./redis/doctor.ts');
  return { reading: readRedis(redisUrl, tenant), contentFile: contentFileFor(dataDir, redisUrl) };
}

/** What an operator sets up for the store: its folder and disk, or the settings of Redis, and whether an upgrade is to come. */
export async function diagnoseStore({ dataDir, redisUrl }: StoreConfig, reading: StoreReading): Promise<Diagnosis[]> {
  const place =
    redisUrl === undefined
      ? (await import('./sqlite/doctor.ts')).diagnoseFolder(dataDir)
      : await (await import('./redis/doctor.ts')).diagnoseSettings(redisUrl);
  const isOlder = await reading.isOlder().catch(() => false);
  return isOlder
    ? [...place, right('the store is of an older version: the bot upgrades it at the start, so make a backup first')]
    : place;
}

/** A bot runs that would write into what is erased. */
class StoreInUseError extends InvigilatorError {
  readonly code = 'store_in_use';
}

/**
 * Erases everything that a bot stored: its folder, and its keys in Redis.
 *
 * @param store.tenant whose it is; the keys of a bot that is alone are never erased
 * @returns how much was erased; `keys`: undefined where no Redis is configured
 * @throws {StoreInUseError} where it is known that a bot has it open: in Redis, where the list of clients may be read
 */
export async function eraseStore(store: { dataDir: string; redisUrl: string | undefined; tenant: string }) {
  const { dataDir, redisUrl, tenant } = store;
  const files = existsSync(dataDir) ? filesIn(dataDir) : 0;
  const release = existsSync(dataDir) ? await holdStore(dataDir, tenant) : () => {};
  try {
    const keys = redisUrl === undefined ? undefined : await eraseKeys(redisUrl, tenant);
    if (existsSync(dataDir)) eraseFolder(dataDir);
    return { files, keys };
  } finally {
    release();
  }
}

/** @returns gives it back */
async function holdStore(dataDir: string, tenant: string): Promise<() => void> {
  const { DataDirInUseError, holdFolder, lockDataDir, readPid } = await import('./sqlite/folder.ts');
  let lock: { release(): void } | undefined;
  try {
    lock = lockDataDir(dataDir);
    const hold = await holdFolder(dataDir);
    return () => [hold, lock].forEach((one) => one?.release());
  } catch (error) {
    lock?.release();
    if (!(error instanceof DataDirInUseError)) throw error;
    throw new StoreInUseError(`the bot of ${tenant} runs (process ${readPid(dataDir) ?? 'unknown'}): stop it first`);
  }
}

async function eraseKeys(redisUrl: string, tenant: string): Promise<number> {
  const { keyPrefix, withRedis } = await import('./redis/connection.ts');
  const prefix = keyPrefix(tenant);
  return withRedis(redisUrl, async (client) => {
    const clients = await client.sendCommand<string>(['CLIENT', 'LIST']).catch(() => '');
    if (clients.includes(` name=${prefix} `))
      throw new StoreInUseError(`a bot of ${tenant} is connected to Redis: stop it first`);
    let erased = 0;
    for await (const keys of client.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1_000 }))
      if (keys.length > 0) erased += await client.unlink(keys);
    return erased;
  });
}

function filesIn(dataDir: string): number {
  return readdirSync(realpathSync(dataDir), { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  ).length;
}

/** Also what a link in place of the folder leads to. */
function eraseFolder(dataDir: string): void {
  rmSync(realpathSync(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { force: true });
}
