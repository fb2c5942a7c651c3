import type { NewQueueEntry } from '../../domain/queue-entry.ts';

/** What the names of all keys of events and queues begin with. */
export const alertsBase = (prefix: string) => `${prefix}:{alerts}:`;

/**
 * The functions of scripts that change the keys of a queue, which `schema.ts` describes. KEYS[1] of every script is the base
 * of the keys' names: queues and subscriptions come with the arguments.
 */
export const queueFunctions = `
local base = KEYS[1]

local function put(queue, subscription, at, entry)
  local position = redis.call('INCR', base .. 'position')
  redis.call('HSET', base .. 'entries:' .. queue, position, entry)
  redis.call('HSET', base .. 'owners:' .. queue, position, subscription)
  redis.call('ZADD', base .. 'places:' .. queue .. ':' .. subscription, position, position)
  redis.call('ZADD', base .. 'ages:' .. queue .. ':' .. subscription, at, position)
  redis.call('SADD', base .. 'owned:' .. queue, subscription)
  redis.call('SADD', base .. 'queues-of:' .. subscription, queue)
  redis.call('SADD', base .. 'queues', queue)
end

local function remove(queue, position)
  local subscription = redis.call('HGET', base .. 'owners:' .. queue, position)
  if not subscription then return end
  redis.call('HDEL', base .. 'entries:' .. queue, position)
  redis.call('HDEL', base .. 'owners:' .. queue, position)
  redis.call('ZREM', base .. 'ages:' .. queue .. ':' .. subscription, position)
  local places = base .. 'places:' .. queue .. ':' .. subscription
  redis.call('ZREM', places, position)
  if redis.call('EXISTS', places) == 1 then return end
  redis.call('SREM', base .. 'owned:' .. queue, subscription)
  redis.call('SREM', base .. 'queues-of:' .. subscription, queue)
  if redis.call('EXISTS', base .. 'owned:' .. queue) == 0 then redis.call('SREM', base .. 'queues', queue) end
end
`;

/** An entry as the scripts take it: queue, subscription, time and content. */
export function entryArguments({ queue, ...entry }: NewQueueEntry): string[] {
  return [queue, entry.subscriptionId, String(entry.at), JSON.stringify(entry)];
}
