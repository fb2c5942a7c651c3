import type { QueueEntry, NewQueueEntry } from '../../domain/queue-entry.ts';
import { chunksOf, inboxKeys } from './inbox.ts';
import type { RedisConnection } from './connection.ts';
import type { QueueState, Outbox } from '../storage.ts';

/**
 * What is kept of queues. Of each: `entries:<queue>` and `owners:<queue>`, contents and subscriptions by position;
 * `state:<queue>`; `owned:<queue>`, the subscriptions of which something waits in it, and of each of these
 * `places:<queue>:<subscription>` and `ages:<queue>:<subscription>`, positions in their order and by when they were put there.
 * Over all: `queues` in which something waits, `busy` ones, and `queues-of:<subscription>`.
 *
 * KEYS[1] of every script is what the names of all these begin with: queues and subscriptions come with the arguments.
 */
const queuesInScripts = `
local base = KEYS[1]

local function put(lane, subscription, at, entry)
  local position = redis.call('INCR', base .. 'position')
  redis.call('HSET', base .. 'entries:' .. lane, position, entry)
  redis.call('HSET', base .. 'owners:' .. lane, position, subscription)
  redis.call('ZADD', base .. 'places:' .. lane .. ':' .. subscription, position, position)
  redis.call('ZADD', base .. 'ages:' .. lane .. ':' .. subscription, at, position)
  redis.call('SADD', base .. 'owned:' .. lane, subscription)
  redis.call('SADD', base .. 'lanes-of:' .. subscription, lane)
  redis.call('SADD', base .. 'lanes', lane)
end

local function take(lane, position)
  local subscription = redis.call('HGET', base .. 'owners:' .. lane, position)
  if not subscription then return end
  redis.call('HDEL', base .. 'entries:' .. lane, position)
  redis.call('HDEL', base .. 'owners:' .. lane, position)
  redis.call('ZREM', base .. 'ages:' .. lane .. ':' .. subscription, position)
  local places = base .. 'places:' .. lane .. ':' .. subscription
  redis.call('ZREM', places, position)
  if redis.call('EXISTS', places) == 1 then return end
  redis.call('SREM', base .. 'owned:' .. lane, subscription)
  redis.call('SREM', base .. 'lanes-of:' .. subscription, lane)
  if redis.call('EXISTS', base .. 'owned:' .. lane) == 0 then redis.call('SREM', base .. 'lanes', lane) end
end
`;

/** KEYS[2..]: waiting, bodies, taken at, settled. ARGV: for each event its id and number of entries, then queue, subscription, time and content of each. */
const fanOut = `${queuesInScripts}
local n = 1
while ARGV[n] do
  local id, last = ARGV[n], n + 1 + 4 * tonumber(ARGV[n + 1])
  n = n + 2
  if redis.call('ZREM', KEYS[2], id) == 1 then
    redis.call('ZADD', KEYS[5], redis.call('HGET', KEYS[4], id), id)
    redis.call('HDEL', KEYS[3], id)
    redis.call('HDEL', KEYS[4], id)
    for entry = n, last, 4 do put(ARGV[entry], ARGV[entry + 1], ARGV[entry + 2], ARGV[entry + 3]) end
  end
  n = last + 1
end`;

/** ARGV: queue, limit, subscriptions that are left out. Gives position and content of each. */
const readWaiting = `${queuesInScripts}
local lane, limit = ARGV[1], tonumber(ARGV[2])
local except = {}
for n = 3, #ARGV do except[ARGV[n]] = true end
local positions = {}
for _, subscription in ipairs(redis.call('SMEMBERS', base .. 'owned:' .. lane)) do
  if not except[subscription] then
    for _, position in ipairs(redis.call('ZRANGE', base .. 'places:' .. lane .. ':' .. subscription, 0, limit - 1)) do table.insert(positions, position) end
  end
end
table.sort(positions, function(one, other) return tonumber(one) < tonumber(other) end)
local found = {}
for n = 1, math.min(limit, #positions) do
  table.insert(found, positions[n])
  table.insert(found, redis.call('HGET', base .. 'entries:' .. lane, positions[n]))
end
return found`;

/** ARGV: queue, version it must have, state, is busy, number of positions to remove, these, then queue, subscription, time and content of each entry to put. */
const commit = `${queuesInScripts}
local lane = ARGV[1]
local state = base .. 'state:' .. lane
if tonumber(redis.call('HGET', state, 'version') or 0) ~= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', state, 'state', ARGV[3])
redis.call('HINCRBY', state, 'version', 1)
redis.call(ARGV[4] == '1' and 'SADD' or 'SREM', base .. 'busy', lane)
local last = 5 + tonumber(ARGV[5])
for n = 6, last do take(lane, ARGV[n]) end
for n = last + 1, #ARGV, 4 do put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3]) end
return 1`;

/** Gives queue, number of entries and time of the oldest (empty where there is none) of each. */
const readQueues = `${queuesInScripts}
local found = {}
for _, lane in ipairs(redis.call('SUNION', base .. 'lanes', base .. 'busy')) do
  local oldest = ''
  for _, subscription in ipairs(redis.call('SMEMBERS', base .. 'owned:' .. lane)) do
    local at = redis.call('ZRANGE', base .. 'ages:' .. lane .. ':' .. subscription, 0, 0, 'WITHSCORES')[2]
    if oldest == '' or tonumber(at) < tonumber(oldest) then oldest = at end
  end
  table.insert(found, lane)
  table.insert(found, tostring(redis.call('HLEN', base .. 'entries:' .. lane)))
  table.insert(found, oldest)
end
return found`;

/** ARGV: subscription, time. Gives how many were dropped. */
const drop = `${queuesInScripts}
local dropped = 0
for _, lane in ipairs(redis.call('SMEMBERS', base .. 'lanes-of:' .. ARGV[1])) do
  local positions = redis.call('ZRANGEBYSCORE', base .. 'ages:' .. lane .. ':' .. ARGV[1], '-inf', '(' .. ARGV[2])
  for _, position in ipairs(positions) do take(lane, position) end
  dropped = dropped + #positions
end
return dropped`;

/** ARGV: position, queue, subscription, time and content of each entry. Queues' states name positions, so that these have to stay. */
const restore = `${queuesInScripts}
for n = 1, #ARGV, 5 do
  redis.call('SET', base .. 'position', ARGV[n] - 1)
  put(ARGV[n + 1], ARGV[n + 2], ARGV[n + 3], ARGV[n + 4])
end`;

export interface RestorableOutbox {
  /** Puts entries of another store where there are none, at the places they had there. */
  restore(entries: readonly (QueueEntry & { queue: string })[]): Promise<void>;
  restoreState(kept: { queue: string; version: number; state: unknown; isBusy: boolean }): Promise<void>;
  /** The last place that was given: what comes next comes after it. */
  restorePosition(position: number): Promise<void>;
}

/** The outbox in Redis, for all instances. Every change is one script, and so one step. */
export function createRedisOutbox(client: RedisConnection, prefix: string): Outbox & RestorableOutbox {
  const base = `${prefix}:{alerts}:`;
  const inbox = inboxKeys(prefix);

  return {
    async fanOut(distributions) {
      if (distributions.length === 0) return;
      await client.eval(fanOut, {
        keys: [base, inbox.waiting, inbox.bodies, inbox.takenAt, inbox.settled],
        arguments: distributions.flatMap(({ eventId, entries }) => [eventId, String(entries.length), ...entries.flatMap(argumentsOf)]),
      });
    },
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      const reply = await client.eval(readWaiting, { keys: [base], arguments: [queue, String(limit), ...exceptSubscriptions] });
      return chunksOf(reply as string[], 2).map(([position, text]) => entryOf(Number(position), text!));
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const [version, text] = await client.hmGet(`${base}state:${queue}`, ['version', 'state']);
      return typeof text === 'string' ? { version: Number(version), state: JSON.parse(text) as State } : { version: 0, state: undefined };
    },
    async commit(queue, { version, state, isBusy, remove = [], put = [] }) {
      const reply = await client.eval(commit, {
        keys: [base],
        arguments: [queue, String(version), JSON.stringify(state), isBusy ? '1' : '0', String(remove.length), ...remove.map(String), ...put.flatMap(argumentsOf)],
      });
      return reply === 1;
    },
    async queues() {
      const reply = await client.eval(readQueues, { keys: [base] });
      return chunksOf(reply as string[], 3).map(([queue, waiting, oldestAt]) => ({
        queue: queue!,
        waiting: Number(waiting),
        oldestAt: oldestAt === '' ? undefined : Number(oldestAt),
      }));
    },
    async restore(entries) {
      if (entries.length === 0) return;
      await client.eval(restore, { keys: [base], arguments: entries.flatMap(({ position, ...entry }) => [String(position), ...argumentsOf(entry)]) });
    },
    async restoreState({ queue, version, state, isBusy }) {
      await client.hSet(`${base}state:${queue}`, { version, state: JSON.stringify(state) });
      if (isBusy) await client.sAdd(`${base}busy`, queue);
    },
    async restorePosition(position) {
      await client.set(`${base}position`, position);
    },
    async drop(subscriptionId, before) {
      return Number(await client.eval(drop, { keys: [base], arguments: [subscriptionId, String(before)] }));
    },
  };
}

function argumentsOf({ queue, ...entry }: NewQueueEntry): string[] {
  return [queue, entry.subscriptionId, String(entry.at), JSON.stringify(entry)];
}

function entryOf(position: number, text: string): QueueEntry {
  return { ...(JSON.parse(text) as Omit<QueueEntry, 'position'>), position };
}
