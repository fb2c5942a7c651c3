import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import { chunksOf, evenWhenFull } from './script.ts';
import { createUnreadableTexts } from './unreadable.ts';
import type { Subscriptions } from '../storage.ts';
import type { Pause, Subscription } from '../../domain/subscription.ts';

// KEYS of every script: subscriptions, pauses, version.

/** ARGV: id, subscription, pause. */
const add = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[3])`;
const addWhenFull = evenWhenFull(add);

/** Gives id, subscription and pause of each. */
const readAll = `
local found = {}
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  table.insert(found, id)
  table.insert(found, redis.call('HGET', KEYS[1], id))
  table.insert(found, redis.call('HGET', KEYS[2], id))
end
return found`;

/** ARGV: id, pause. */
const setPause = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`;

/** ARGV: id. */
const remove = `
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('INCR', KEYS[3])
return 1`;

/** Grows with every subscription that is added to a workspace or removed from it. */
export const subscriptionsVersionKey = (prefix: string, teamId: string) =>
  redisKey(prefix, '{subscriptions:<team>}:version', teamId);

/** Subscriptions in Redis, for all instances. */
export function createRedisSubscriptions(
  client: RedisConnection,
  prefix: string,
  onError?: (error: unknown) => void,
): Subscriptions {
  const unreadable = createUnreadableTexts(client, prefix, onError);
  const keysOf = (teamId: string) => [
    redisKey(prefix, '{subscriptions:<team>}:all', teamId),
    redisKey(prefix, '{subscriptions:<team>}:pauses', teamId),
    subscriptionsVersionKey(prefix, teamId),
  ];
  const run = (script: string, teamId: string, ...parameters: string[]) =>
    client.eval(script, { keys: keysOf(teamId), arguments: parameters });

  return {
    async add({ pause, ...subscription }) {
      // The subscription of the configured channel has no owner. What waits in the inbox cannot be posted before it is there.
      await run(
        subscription.ownerId === null ? addWhenFull : add,
        subscription.teamId,
        subscription.id,
        JSON.stringify(subscription),
        JSON.stringify(pause),
      );
    },
    async all(teamId) {
      const texts = (await run(readAll, teamId)) as string[];
      return unreadable
        .read(
          chunksOf(texts, 3),
          ([, subscription, pause]) => ({
            ...(JSON.parse(subscription ?? '') as Omit<Subscription, 'pause'>),
            pause: JSON.parse(pause ?? '') as Pause | null,
          }),
          ([id = '', subscription, pause]) => ({
            name: `subscription/${teamId}/${id}`,
            text: JSON.stringify({ subscription, pause }),
            remove: (step) => void step.eval(remove, { keys: keysOf(teamId), arguments: [id] }),
          }),
        )
        .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
    },
    version: async (teamId) => Number((await client.get(subscriptionsVersionKey(prefix, teamId))) ?? 0),
    setPause: async (teamId, id, pause) => (await run(setPause, teamId, id, JSON.stringify(pause))) === 1,
    remove: async (teamId, id) => (await run(remove, teamId, id)) === 1,
  };
}
