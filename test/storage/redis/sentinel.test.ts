import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { diagnoseSettings } from '../../../src/storage/redis/doctor.ts';
import { findFreePort } from '../../support/loopback.ts';
import { connectRedis, redisMissing } from '../../support/redis.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test.skipIf(redisMissing !== null)('a Sentinel at a plain address is refused with what to do instead', async () => {
  const port = await findFreePort();
  const file = join(temporaryDirectory(), 'sentinel.conf');
  writeFileSync(file, `port ${port}\nbind 127.0.0.1\n`);
  const server = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  onTestFinished(async () => {
    server.kill();
    await once(server, 'exit');
  });
  const url = `redis://127.0.0.1:${port}`;
  const isUp = () =>
    connectRedis(url).then(
      async (client) => client.close().then(() => true),
      () => false,
    );
  await expect.poll(isUp).toBe(true);

  const says = 'REDIS_URL is the address of a Redis Sentinel: set the address of a proxy that follows the primary';
  const errors: unknown[] = [];
  const storage = createRedisStorage({ url, now: Date.now, onError: (error) => errors.push(error) });
  onTestFinished(() => storage.close());
  const opened = await storage.open().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect([opened, ...errors].map(String)).toContainEqual(expect.stringContaining(says));
  expect(await diagnoseSettings(url)).toEqual([{ state: 'fault', text: expect.stringContaining(says) }]);
});
