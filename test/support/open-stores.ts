import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import type { Check } from '../../src/domain/finding.ts';
import { storeChecks, type StoreReading } from '../../src/storage/checks.ts';
import { contentFileFor } from '../../src/storage/open-storage.ts';
import { readRedis } from '../../src/storage/redis/doctor.ts';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { readSqlite } from '../../src/storage/sqlite/doctor.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { recordingLog } from './log.ts';
import { connectRedis, redisMissing, startRedis } from './redis.ts';
import { temporaryDirectory } from './temporary.ts';

/** A store that a bot has open, and what reads it without one. */
export interface OpenStore {
  storage: Storage;
  reading: StoreReading;
  contentFile: string;
  /** Does to the closed store what a bot does not do. */
  change(how: {
    sql: string;
    redis: (client: Awaited<ReturnType<typeof connectRedis>>) => Promise<unknown>;
  }): Promise<void>;
  reopen(): Promise<Storage>;
}

/** SQLite in a folder of its own, for what is no test. */
export async function openOwnSqlite(now: () => number): Promise<AsyncDisposable & { storage: Storage }> {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-store-'));
  const storage = openSqliteStorage(folder.path, { now });
  await storage.open();
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage.close();
      folder.remove();
    },
  };
}

export async function openSqlite(): Promise<OpenStore> {
  const folder = temporaryDirectory();
  const open = async () => {
    const storage = openSqliteStorage(folder, { now: Date.now });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return storage;
  };
  return {
    storage: await open(),
    reading: readSqlite(folder),
    contentFile: join(folder, 'known-store.json'),
    async change({ sql }) {
      const database = new DatabaseSync(join(folder, 'invigilator.sqlite'));
      database.exec(sql);
      database.close();
    },
    reopen: open,
  };
}

export async function openRedis(): Promise<OpenStore> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const contentFile = contentFileFor(temporaryDirectory(), redis.url);
  const open = async () => {
    const storage = createRedisStorage({ url: redis.url, now: Date.now, onError: () => {}, contentFile });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return storage;
  };
  return {
    storage: await open(),
    reading: readRedis(redis.url),
    contentFile,
    async change(how) {
      const client = await connectRedis(redis.url);
      await how.redis(client);
      await client.close();
    },
    reopen: open,
  };
}

/** The same tests of one instance over SQLite, and of two over Redis. @param cases what opens the store of each instance, empty */
export function inBothStores(cases: (openStorages: () => Promise<readonly Storage[]>) => void): void {
  describe('in SQLite', () => {
    cases(async () => [(await openSqlite()).storage]);
  });

  describe.skipIf(redisMissing !== null)(
    `over Redis, at two instances${redisMissing ? ` (${redisMissing})` : ''}`,
    () => {
      let redis: Awaited<ReturnType<typeof startRedis>>;
      let storages: ReturnType<typeof createRedisStorage>[];
      beforeAll(async () => {
        redis = await startRedis();
        storages = [1, 2].map(() => createRedisStorage({ url: redis.url, now: Date.now, onError: () => {} }));
        await Promise.all(storages.map((storage) => storage.open()));
      });
      afterAll(async () => {
        await Promise.all(storages.map((storage) => storage.close()));
        await redis.stop();
      });

      cases(async () => {
        await storages[0]!.client.flushAll();
        return storages;
      });
    },
  );
}

/** The checks of a bot that has compared the owner. */
export async function checksOf(
  storage: Storage,
  workspace = 'T1',
  userIds: readonly string[] = ['u-1'],
): Promise<Check[]> {
  const compared = Promise.withResolvers<void>();
  const checks = storeChecks({
    storage,
    teamId: async () => workspace,
    userIds: async () => userIds,
    onCompared: compared.resolve,
    log: recordingLog().log,
  });
  expect(await checks.find(({ name }) => name === 'storeOwner')!.look()).toMatchObject({ effect: 'unknown' });
  await compared.promise;
  return checks;
}
