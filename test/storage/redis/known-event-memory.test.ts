import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { read } from '../../support/project-files.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';

test.skipIf(redisMissing !== null)('a known event takes as much memory as the operations guide says', async () => {
  const redis = await startRedis();
  onTestFinished(async () => redis.stop());
  const storage = createRedisStorage({ url: redis.url, now: Date.now, onError: () => {} });
  await storage.open();
  onTestFinished(() => storage.close());
  const client = await connectRedis(redis.url);
  onTestFinished(async () => client.close());
  const usedBytes = async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))![1]);
  const take = async (count: number) => {
    for (let taken = 0; taken < count; taken += 500) {
      await Promise.all(
        Array.from({ length: 500 }, async () =>
          storage.inbox.take({
            id: randomUUID(),
            subject: `${randomUUID()}/${randomUUID()}`,
            isBackfilled: false,
            takenAt: Date.now(),
            content: undefined,
            result: '["passed",7,8,87.5,"B",1795000000,1795000001]',
          }),
        ),
      );
    }
  };
  await take(2_000);
  const before = await usedBytes();
  await take(30_000);
  const each = ((await usedBytes()) - before) / 30_000;
  const [, documented] = /a million submissions a month take about (\d+) MB/.exec(read('docs/operations.md'))!;
  expect(each / Number(documented)).toBeGreaterThan(0.7);
  expect(each / Number(documented)).toBeLessThan(1.2);
});
