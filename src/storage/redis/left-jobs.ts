import { evenWhenFull } from './script.ts';
import type { RedisConnection } from './connection.ts';

// KEYS: BullMQ's list of jobs that wait, and its announcement (https://docs.bullmq.io/bull/important-notes: a marker that an
// idle worker takes).
const announceAgain = evenWhenFull(`if redis.call('LLEN', KEYS[1]) > 0 then redis.call('ZADD', KEYS[2], 0, '0') end`);

/**
 * Looks for jobs that an instance has left that died or stands still: those that it was running, and those that were announced to
 * it alone. While nothing runs and nothing waits, which is most of the time, Redis is asked one question.
 *
 * @param deps.keyOf a key of BullMQ's
 * @param deps.moveStalled puts jobs back of which nobody renews the lock
 * @returns ends it
 */
export function watchLeftJobs(deps: {
  client: RedisConnection;
  isUsable: () => boolean;
  keyOf: (part: 'active' | 'wait' | 'marker') => string;
  moveStalled: () => Promise<unknown>;
  everyMs: number;
  onError: (error: unknown) => void;
}): () => void {
  const { client, keyOf } = deps;
  let isOver = false;
  let timer: NodeJS.Timeout;

  async function look(): Promise<void> {
    if (!deps.isUsable() || (await client.exists([keyOf('active'), keyOf('wait')])) === 0) return;
    await deps.moveStalled();
    await client.eval(announceAgain, { keys: [keyOf('wait'), keyOf('marker')] });
  }

  function lookSoon(): void {
    timer = setTimeout(() => {
      void look()
        .catch(deps.onError)
        .finally(() => {
          if (!isOver) lookSoon();
        });
    }, deps.everyMs);
  }

  lookSoon();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
