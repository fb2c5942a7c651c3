import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { prefix } from '../../src/storage/redis/connection.ts';

const pollMs = 15;
const quietPolls = 2;
const mostPolls = 200;

const freedWithinMs = 30_000;

/**
 * Waits until no job that was running when a bot or Redis was killed is locked any more. Locks expire in real time: a clock
 * that skips meanwhile passes over what those jobs would have done.
 */
export async function untilJobsAreFreed(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  try {
    const deadline = performance.now() + freedWithinMs;
    while ((await client.lLen(`${prefix}:queues:active`)) > 0) {
      if (performance.now() > deadline) throw new Error('a job is still locked');
      await pause(pollMs);
    }
  } finally {
    client.destroy();
  }
}

/**
 * Has bots over Redis keep up with a clock that skips. A worker of BullMQ waits inside Redis for the next job, in real time,
 * until its marker is set; and a skip alone does not wait for the commands that a bot has sent to Redis.
 *
 * @returns ends it
 */
export function followOverRedis(clock: SandboxClock, url: string): () => void {
  const client = createClient({ url, disableOfflineQueue: true });
  // Redis is killed now and then.
  client.on('error', () => {});
  void client.connect().catch(() => {});

  async function wakeAndWait(): Promise<void> {
    try {
      await client.zAdd(`${prefix}:queues:marker`, { score: 0, value: '0' });
      let last = Number.NaN;
      for (let polls = 0, quiet = 0; polls < mostPolls && quiet < quietPolls; polls += 1) {
        await pause(pollMs);
        const commands = Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1]);
        // This poll is a command itself.
        quiet = commands === last + 1 ? quiet + 1 : 0;
        last = commands;
      }
    } catch {
      // The clock waits for Redis where the test restarts it.
    }
  }

  clock.onChange(() => void clock.hold(wakeAndWait));
  return () => client.destroy();
}
