import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { right, type Diagnosis } from '../domain/finding.ts';
import type { Clock, SteadyClock } from '../time/clock.ts';
import type { StoreReading } from './checks.ts';
import { knownStoreFileName } from './passport.ts';
import type { RedisConnection } from './redis/connection.ts';
import { fileName } from './sqlite/file.ts';
import type { Storage } from './records.ts';

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
