import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { redisKey, redisKeys } from '../../../src/storage/redis/schema.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';
import { expectToGoOn, fill, look } from '../cases/filled-store.ts';

const patterns = Object.entries(redisKeys).map(([key, [kind]]) => ({
  key,
  kind,
  pattern: new RegExp(`^invigilator:${key.replaceAll(/[{}]/g, '\\$&').replaceAll(/<\w+>/g, '.+')}$`),
}));

const kindOf: Readonly<Record<string, string>> = { zset: 'sorted set' };

test('the name of a key has what stands for each of its names', () => {
  expect(redisKey('p', '{alerts}:places:<queue>:<subscription>', 'channel/$&', 's-1')).toBe(
    'p:{alerts}:places:channel/$&:s-1',
  );
  expect(redisKey('p', '{alerts}:entries:<queue>', '')).toBe('p:{alerts}:entries:');
});

describe.skipIf(redisMissing !== null)(`the keys in Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let client: Awaited<ReturnType<typeof connectRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
    client = await connectRedis(redis.url);
  });
  afterAll(async () => {
    await client.close();
    await redis.stop();
  });
  beforeEach(async () => void (await client.flushAll()));

  async function open() {
    const storage = createRedisStorage({ url: redis.url, now: Date.now, onError: () => {} });
    await storage.open();
    onTestFinished(() => storage.close());
    return storage;
  }

  /** Each kind of key that is in Redis now, by its line in the schema. */
  async function kindsThere(): Promise<string[]> {
    const names = await client.keys('*');
    return Promise.all(
      names.map(async (name) => {
        const type = await client.type(name);
        const { key, kind } = patterns.find(({ pattern }) => pattern.test(name)) ?? { key: 'none', kind: 'none' };
        return kind === 'any' ? `${key}: any` : `${key}: ${kindOf[type] ?? type}${key === 'none' ? ` ${name}` : ''}`;
      }),
    );
  }

  /** Uses every part of a store that was filled, and returns the kinds of keys that it had. */
  async function use(storage: Awaited<ReturnType<typeof open>>): Promise<string[]> {
    const filled = await kindsThere();
    await expectToGoOn(storage, await look(storage));
    await storage.ping();
    await client.hSet(redisKey('invigilator', '{alerts}:state:<queue>', 'subscriptions/T1'), 'part:9', '{');
    await storage.subscriptions.all('T1');
    await storage.queues.wake('channel/T1/C1', Date.now() + 60_000);
    await storage.queues.stop();
    const { held, ...result } = await storage.leases.withLease('one', 30_000, kindsThere);
    expect(held).toBe(true);
    return [...new Set([...filled, ...('value' in result ? result.value : [])])].toSorted();
  }

  test('are those of the schema, each of its kind, and the schema has no others', async () => {
    const storage = await open();
    await fill(storage);
    expect(await use(storage)).toEqual(patterns.map(({ key, kind }) => `${key}: ${kind}`).toSorted());
  });
});
