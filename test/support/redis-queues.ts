import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { createFailFastConnection } from '../../src/storage/redis/connection.ts';
import { createRedisQueues } from '../../src/storage/redis/queues.ts';
import type { Queues } from '../../src/storage/storage.ts';
import { unguarded } from './redis.ts';
import { eventually } from './watchdog.ts';

type RedisQueuesOptions = Parameters<typeof createRedisQueues>[0];

/** The queues of one instance, in this process. They stop when the test ends. */
export async function openQueues(
  url: string,
  {
    onFailure = () => {},
    ...shortened
  }: Partial<Pick<RedisQueuesOptions, 'onFailure' | 'lockMs' | 'retryPauseMs'>> = {},
): Promise<Queues> {
  const client = createFailFastConnection(url);
  client.on('error', () => {});
  await client.connect();
  const queues = createRedisQueues({
    guarded: unguarded(client),
    prefix: 'invigilator',
    now: Date.now,
    onFailure,
    onError: () => {},
    ...shortened,
  });
  onTestFinished(async () => {
    await queues.stop();
    if (client.isOpen) client.destroy();
  });
  return queues;
}

/** The queues of an instance in its own process, whose runs never finish. */
interface HeldQueues {
  isRunning(queue: string): Promise<void>;
  /** Sends SIGSTOP: the process stands still, and its connections stay open. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
}

export function holdQueues(url: string, lockMs: number): HeldQueues {
  const holder = spawn(process.execPath, [new URL('queue-holder.ts', import.meta.url).pathname, url, String(lockMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  let said = '';
  holder.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  return {
    isRunning: (queue) => eventually(() => expect(said.split('\n')).toContain(queue)),
    freeze: () => void holder.kill('SIGSTOP'),
    thaw: () => void holder.kill('SIGCONT'),
    async kill() {
      const exited = once(holder, 'exit');
      holder.kill('SIGKILL');
      await exited;
    },
  };
}
