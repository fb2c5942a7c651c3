import type { RedisConnection } from './connection.ts';
import type { Inbox, TakenEvent } from '../storage.ts';

/** How many events one step forgets: Redis answers nobody else meanwhile. */
const forgottenAtOnce = 1_000;

/**
 * What is kept of events. Of all: `facts` and `subjects` by id, and for each subject `of:<subject>`, ids by their place in
 * line. Of those that wait: `waiting`, ids by place, and `bodies`. Of those dealt with: `settled`, ids by when they were taken.
 */
export function inboxKeys(prefix: string) {
  const key = (name: string) => `${prefix}:{alerts}:${name}`;
  return { place: key('place'), facts: key('facts'), subjects: key('subjects'), of: key('of:'), waiting: key('waiting'), bodies: key('bodies'), takenAt: key('taken-at'), settled: key('settled') };
}

/** KEYS: facts, place, waiting, bodies, taken at, subjects, of. ARGV: id, facts, body, taken at, subject. */
const remember = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
local place = redis.call('INCR', KEYS[2])
redis.call('ZADD', KEYS[3], place, ARGV[1])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[5], ARGV[1], ARGV[4])
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[6], ARGV[1], ARGV[5])
  redis.call('ZADD', KEYS[7] .. ARGV[5], place, ARGV[1])
end
return 1`;

/** KEYS: waiting, facts, bodies, taken at, subjects. ARGV: limit. Gives id, facts, body, taken at and subject of each. */
const readWaiting = `
local found = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)) do
  table.insert(found, id)
  for n = 2, 5 do table.insert(found, redis.call('HGET', KEYS[n], id) or '') end
end
return found`;

/** KEYS: of. ARGV: subjects. */
const readFirst = `
local found = {}
for n, subject in ipairs(ARGV) do found[n] = redis.call('ZRANGE', KEYS[1] .. subject, 0, 0)[1] or '' end
return found`;

/** KEYS: settled, facts, subjects, of. ARGV: time, limit. Gives how many were forgotten. */
const forget = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do
  local subject = redis.call('HGET', KEYS[3], id)
  if subject then redis.call('ZREM', KEYS[4] .. subject, id) end
  redis.call('HDEL', KEYS[3], id)
  redis.call('HDEL', KEYS[2], id)
  redis.call('ZREM', KEYS[1], id)
end
return #ids`;

/** The inbox in Redis, for all instances. */
export function createRedisInbox(client: RedisConnection, prefix: string): Inbox {
  const keys = inboxKeys(prefix);

  return {
    async remember({ id, type, trusted, subject, body, takenAt }) {
      const reply = await client.eval(remember, {
        keys: [keys.facts, keys.place, keys.waiting, keys.bodies, keys.takenAt, keys.subjects, keys.of],
        arguments: [id, JSON.stringify({ type, trusted }), body, String(takenAt), subject],
      });
      return reply === 1;
    },
    async waiting(limit) {
      const reply = await client.eval(readWaiting, { keys: [keys.waiting, keys.facts, keys.bodies, keys.takenAt, keys.subjects], arguments: [String(limit)] });
      return chunksOf(reply as string[], 5).map(([id, facts, body, takenAt, subject]) => ({
        ...(JSON.parse(facts!) as Pick<TakenEvent, 'type' | 'trusted'>),
        id: id!,
        subject: subject!,
        body: body!,
        takenAt: Number(takenAt),
      }));
    },
    async countWaiting() {
      return client.zCard(keys.waiting);
    },
    async firstOf(subjects) {
      if (subjects.length === 0) return new Map();
      const ids = (await client.eval(readFirst, { keys: [keys.of], arguments: [...subjects] })) as string[];
      return new Map(subjects.flatMap((subject, n) => (ids[n] === '' ? [] : [[subject, ids[n]!] as const])));
    },
    async forgetBefore(time) {
      let forgotten;
      do {
        forgotten = Number(
          await client.eval(forget, { keys: [keys.settled, keys.facts, keys.subjects, keys.of], arguments: [String(time), String(forgottenAtOnce)] }),
        );
      } while (forgotten === forgottenAtOnce);
    },
  };
}

/** What a script gives is one flat list. */
export function chunksOf<Value>(list: readonly Value[], size: number): Value[][] {
  return Array.from({ length: list.length / size }, (_, n) => list.slice(n * size, (n + 1) * size));
}
