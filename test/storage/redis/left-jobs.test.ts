import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFailFastConnection, type RedisConnection } from '../../../src/storage/redis/connection.ts';
import { watchLeftJobs } from '../../../src/storage/redis/queues.ts';
import { redisMissing, startRedis, type TestRedis } from '../../support/redis.ts';
import { eventually } from '../../support/watchdog.ts';

describe.skipIf(redisMissing !== null)('what an instance left', () => {
  let redis: TestRedis;
  let client: RedisConnection;
  beforeAll(async () => {
    redis = await startRedis();
    client = createFailFastConnection(redis.url);
    await client.connect();
  });
  beforeEach(() => client.flushAll());
  afterAll(async () => {
    client.destroy();
    await redis.stop();
  });

  function watch() {
    const moveStalled = vi.fn(async () => {});
    let isOver = false;
    const end = watchLeftJobs({
      client,
      isUsable: () => true,
      keyOf: (part) => `jobs:${part}`,
      moveStalled,
      everyMs: 5,
      // A look that is under way at the end can find the client closed.
      onError: (error) => {
        if (!isOver) throw error;
      },
    });
    onTestFinished(() => {
      isOver = true;
      end();
    });
    return moveStalled;
  }

  test('a job whose announcement was taken is announced again', async () => {
    await client.lPush('jobs:wait', '1');
    watch();
    await eventually(async () => expect(await client.zRange('jobs:marker', 0, -1)).toEqual(['0']));
    await client.zPopMin('jobs:marker');
    await eventually(async () => expect(await client.zCard('jobs:marker')).toBe(1));
  });

  test('jobs that are running are looked through for those that nobody runs any more, and not announced', async () => {
    await client.lPush('jobs:active', '1');
    const moveStalled = watch();
    await eventually(() => expect(moveStalled.mock.calls.length).toBeGreaterThan(2));
    expect(await client.exists('jobs:marker')).toBe(0);
  });

  test('while there are no jobs, Redis is asked one question each time', async () => {
    await client.sendCommand(['CONFIG', 'RESETSTAT']);
    const moveStalled = watch();
    const stats = () => client.info('commandstats');
    await eventually(async () =>
      expect(Number(/cmdstat_exists:calls=(\d+)/.exec(await stats())?.[1])).toBeGreaterThan(2),
    );
    const asked = [...(await stats()).matchAll(/^cmdstat_([^:]+)/gm)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(['config|resetstat', 'exists', 'info']));
    expect(moveStalled).not.toHaveBeenCalled();
  });
});
