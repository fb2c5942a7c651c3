import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { untilSo } from './watchdog.ts';
import { keyPrefix } from '../../src/storage/redis/connection.ts';

const prefix = keyPrefix();

const pollMs = 5;
const idlePolls = 2;
/** Jobs can wait for this clock: for the budget of requests, for example. */
const mostPolls = 400;

/** No window of the budget is longer. The ledger itself forgets at its next request only. */
const forgottenAfterMs = 2 * 60 * 60_000;

/**
 * Waits until no job that was running when a bot or Redis was killed is locked any more. Locks expire in real time: a clock
 * that skips meanwhile passes over what those jobs would have done.
 */
export async function untilJobsAreFreed(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  try {
    await untilSo(async () => (await client.lLen(`${prefix}:queues:active`)) === 0);
  } finally {
    client.destroy();
  }
}

/** Jobs that are due soon and only set a pace stand before those that wait for a moment. */
const jobsLookedAt = 200;

/**
 * ARGV: by how many milliseconds the clock skipped, what time it is now, from which delay on a job waits for a moment. Wakes a
 * worker. Returns whether jobs run or are due, and when the next job comes due that waits for a moment, or 0. The requests of the
 * bots are as much older: the ledger counts them in the clock of Redis, which does not skip.
 */
const followScript = `
local byMs, now, longMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
for _, key in ipairs(byMs == 0 and {} or redis.call('KEYS', 'quiz-budget:*')) do
  if redis.call('TYPE', key).ok == 'zset' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', redis.call('TIME')[1] * 1000 - ${forgottenAfterMs} + byMs))
    local counted = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    for index = 1, #counted, 2 do
      redis.call('ZADD', key, string.format('%d', counted[index + 1] - byMs), counted[index])
    end
  else
    redis.call('SET', key, string.format('%d', redis.call('GET', key) - byMs), 'KEEPTTL')
  end
end
local jobs = redis.call('ZRANGE', '${prefix}:queues:delayed', 0, ${jobsLookedAt - 1}, 'WITHSCORES')
if jobs[2] and tonumber(jobs[2]) <= (now + 1) * 4096 then
  redis.call('ZADD', '${prefix}:queues:marker', 0, '0')
  return {1, 0}
end
local moment = 0
for index = 1, #jobs, 2 do
  local delay = redis.call('HGET', '${prefix}:queues:' .. jobs[index], 'delay')
  if delay and tonumber(delay) >= longMs then
    moment = math.floor(tonumber(jobs[index + 1]) / 4096)
    break
  end
end
return {redis.call('LLEN', '${prefix}:queues:wait') + redis.call('LLEN', '${prefix}:queues:active'), moment}`;

/**
 * Has bots over Redis keep up with a clock that skips. A worker of BullMQ waits inside Redis for the next job, in real time,
 * until its marker is set; a skip alone does not wait for the jobs that run; and the budget of requests goes by the time of
 * Redis.
 *
 * @returns ends it
 */
export function followOverRedis(clock: SandboxClock, url: string): () => void {
  const client = createClient({ url, disableOfflineQueue: true });
  let { aheadMs } = clock;
  let nextMomentMs = Infinity;
  // Redis is killed now and then.
  client.on('error', () => {});
  void client.connect().catch(() => {});

  async function wakeAndWait(): Promise<void> {
    try {
      for (let polls = 0, idle = 0; polls < mostPolls && idle < idlePolls; polls += 1) {
        const byMs = Math.round(clock.aheadMs - aheadMs);
        const [jobs, moment] = (await client.eval(followScript, {
          arguments: [String(byMs), String(Math.round(clock.now())), String(clock.longDelayMs)],
        })) as [number, number];
        aheadMs += byMs;
        nextMomentMs = moment === 0 ? Infinity : moment;
        idle = jobs === 0 ? idle + 1 : 0;
        if (idle < idlePolls) await pause(pollMs);
      }
    } catch {
      nextMomentMs = Infinity;
      // The clock waits for Redis where the test restarts it.
    }
  }

  clock.onChange(() => void clock.hold(wakeAndWait));
  clock.stopAt(() => nextMomentMs);
  return () => {
    nextMomentMs = Infinity;
    client.destroy();
  };
}
