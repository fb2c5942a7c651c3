import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eraseStore } from '../../src/storage/erase-store.ts';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('the folder of a tenant goes, and no other', async () => {
  const folder = temporaryDirectory();
  for (const name of ['acme', 'acme-two']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), name);
  }
  await eraseStore({ dataDir: join(folder, 'acme'), redisUrl: undefined, tenant: 'acme' });
  expect([existsSync(join(folder, 'acme')), existsSync(join(folder, 'acme-two'))]).toEqual([false, true]);
});

test.skipIf(redisMissing !== null)(
  'the keys of a tenant go, and those of others and of a bot that is alone stay',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    for (const tenant of ['acme', 'acme-two', undefined]) {
      const storage = createRedisStorage({ url: redis.url, tenant, now: Date.now, onError() {} });
      await storage.open();
      await storage.kv<string>('unreadable').set('key', tenant ?? 'alone');
      await storage.close();
    }
    const before = await client.dbSize();
    await eraseStore({ dataDir: temporaryDirectory(), redisUrl: redis.url, tenant: 'acme' });
    const keys = await client.keys('*');
    expect(keys.filter((key) => key.startsWith('invigilator/acme:'))).toEqual([]);
    expect(keys.filter((key) => key.startsWith('invigilator/acme-two:')).length).toBeGreaterThan(0);
    expect(keys.filter((key) => key.startsWith('invigilator:')).length).toBeGreaterThan(0);
    expect(keys.length).toBeLessThan(before);
  },
);
