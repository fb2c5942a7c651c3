import type { RedisConnection } from './redis-connection.ts';
import type { Inbox, TakenEvent } from './storage.ts';

/** KEYS: known ids, ids that wait, events. ARGV: id, event. The place in line is the number of ids known. */
const remember = `
if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], redis.call('SCARD', KEYS[1]), ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 1`;

/** The inbox in Redis, for all instances. */
export function createRedisInbox(client: RedisConnection, prefix: string): Inbox {
  const [known, waiting, events] = ['known', 'waiting', 'events'].map((name) => `${prefix}:{inbox}:${name}`) as [string, string, string];

  return {
    async remember(event) {
      const reply = await client.eval(remember, { keys: [known, waiting, events], arguments: [event.id, JSON.stringify(event)] });
      return reply === 1;
    },
    async waiting(limit) {
      const ids = await client.zRange(waiting, 0, limit - 1);
      if (ids.length === 0) return [];
      const texts = await client.hmGet(events, ids);
      // An event that another instance has settled meanwhile is not there any more.
      return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as TakenEvent]));
    },
    async countWaiting() {
      return client.zCard(waiting);
    },
    async settle(eventId) {
      await client.multi().zRem(waiting, eventId).hDel(events, eventId).exec();
    },
  };
}
