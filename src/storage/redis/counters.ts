import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import type { Counters } from '../storage.ts';

/** KEYS: the counters. ARGV: field and count of each. */
const add = `for n = 1, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[n], ARGV[n + 1]) end`;

/** KEYS: the counters. ARGV: field, number. */
const raise = `
local number = redis.call('HGET', KEYS[1], ARGV[1])
if not number or tonumber(number) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`;

/** Numbers that only grow, in Redis, over all instances. */
export function createRedisCounters(client: RedisConnection, prefix: string): Counters {
  const keyOf = (name: string) => redisKey(prefix, 'counters:<name>', name);

  return {
    async add(name, counts) {
      await client.eval(add, {
        keys: [keyOf(name)],
        arguments: Object.entries(counts).flatMap(([field, count]) => [field, String(count)]),
      });
    },
    async raise(name, field, value) {
      await client.eval(raise, { keys: [keyOf(name)], arguments: [field, String(value)] });
    },
    async of(name) {
      const fields = await client.hGetAll(keyOf(name));
      return Object.fromEntries(Object.entries(fields).map(([field, number]) => [field, Number(number)]));
    },
  };
}
