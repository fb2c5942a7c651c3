import { join } from 'node:path';
import { right, type Diagnosis } from '../domain/diagnosis.ts';
import { contentFileFor } from './open-storage.ts';
import { knownStoreFileName } from './known-content.ts';
import type { StoreReading } from './read-only.ts';

type StoreConfig = { dataDir: string; redisUrl: string | undefined; tenant?: string | undefined };

/** The store of a configuration, to be read, with the file of what the bot knows of its content. */
export async function openReading({
  dataDir,
  redisUrl,
  tenant,
}: StoreConfig): Promise<{ reading: StoreReading; contentFile: string }> {
  if (redisUrl === undefined) {
    const { readSqlite } = await import('./sqlite/read-only.ts');
    return { reading: readSqlite(dataDir), contentFile: join(dataDir, knownStoreFileName) };
  }
  const { readRedis } = await import('./redis/read-only.ts');
  return { reading: readRedis(redisUrl, tenant), contentFile: contentFileFor(dataDir, redisUrl) };
}

/** What an operator sets up for the store: its folder and disk, or the settings of Redis, and whether an upgrade is to come. */
export async function diagnoseStore({ dataDir, redisUrl }: StoreConfig, reading: StoreReading): Promise<Diagnosis[]> {
  const place =
    redisUrl === undefined
      ? (await import('./sqlite/diagnose.ts')).diagnoseFolder(dataDir)
      : await (await import('./redis/diagnose.ts')).diagnoseSettings(redisUrl);
  const isOlder = await reading.isOlder().catch(() => false);
  return isOlder
    ? [...place, right('the store is of an older version: the bot upgrades it at the start, so make a backup first')]
    : place;
}
