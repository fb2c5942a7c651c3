import type { NewQueueEntry } from '../../domain/queues.ts';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';

/** What the names of all keys of events and queues begin with. */
export const alertsBase = (prefix: string) => `${prefix}:{alerts}:`;

/** Entries that a script writes together: Lua passes at most some thousand values to a command. */
const writtenAtOnce = 1_000;

/**
 * The functions of scripts that change the keys of a queue, which `schema.ts` describes. KEYS[1] of every script is the base
 * of the keys' names: queues and subscriptions come with the arguments.
 *
 * What a script puts is written by `writePuts`, with which it ends: entries of one queue and subscription in the same commands.
 */
export const queueFunctions = `
local base = KEYS[1]
local puts, lines, lineOf = 0, {}, {}

local function writePuts()
  if puts == 0 then return end
  local before = redis.call('INCRBY', base .. 'position', puts) - puts
  for _, line in ipairs(lines) do
    local queue, subscription = line.queue, line.subscription
    local entries, owners, places, ages = {}, {}, {}, {}
    for n, one in ipairs(line) do
      local position = before + one.number
      entries[2 * n - 1], entries[2 * n] = position, one.entry
      owners[2 * n - 1], owners[2 * n] = position, subscription
      places[2 * n - 1], places[2 * n] = position, position
      ages[2 * n - 1], ages[2 * n] = one.at, position
    end
    redis.call('HSET', base .. 'entries:' .. queue, unpack(entries))
    redis.call('HSET', base .. 'owners:' .. queue, unpack(owners))
    redis.call('ZADD', base .. 'places:' .. queue .. ':' .. subscription, unpack(places))
    redis.call('ZADD', base .. 'ages:' .. queue .. ':' .. subscription, unpack(ages))
    redis.call('SADD', base .. 'owned:' .. queue, subscription)
    redis.call('SADD', base .. 'queues-of:' .. subscription, queue)
    redis.call('SADD', base .. 'queues', queue)
  end
  puts, lines, lineOf = 0, {}, {}
end

local function put(queue, subscription, at, entry)
  local name = queue .. ':' .. subscription
  local line = lineOf[name]
  if not line then
    line = { queue = queue, subscription = subscription }
    lineOf[name] = line
    table.insert(lines, line)
  end
  puts = puts + 1
  table.insert(line, { number = puts, at = at, entry = entry })
  if puts == ${writtenAtOnce} then writePuts() end
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

type Step = ReturnType<RedisConnection['multi']>;

/** Where an unreadable text is kept, and how it is taken out of its place in the same step. */
interface SetAside {
  name: string;
  text: string | null | undefined;
  remove: (step: Step) => void;
}

/** Keeps what cannot be read from holding up the rest. @param onError called with each text that is set aside */
export function createUnreadableTexts(
  client: RedisConnection,
  prefix: string,
  onError: (error: unknown) => void = () => {},
) {
  const hash = redisKey(prefix, '{alerts}:unreadable');

  function setAside({ name, text, remove }: SetAside, cause: unknown): void {
    onError(new Error(`what the store has cannot be read and is set aside in ${hash} as ${name}`, { cause }));
    const step = client.multi().hSet(hash, name, text ?? '');
    remove(step);
    step.exec().catch(onError);
  }

  return {
    /** Reads what a script returns. What `itemOf` throws for goes to the hash `unreadable`, and is left out. */
    read: <Reply, Item>(
      replies: readonly Reply[],
      itemOf: (reply: Reply) => Item,
      asideOf: (reply: Reply) => SetAside,
    ): Item[] =>
      replies.flatMap((reply) => {
        try {
          return [itemOf(reply)];
        } catch (cause) {
          setAside(asideOf(reply), cause);
          return [];
        }
      }),
  };
}
