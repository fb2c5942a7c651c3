import { readQueue, type QueueEntry, type NewEvent, subscriptionsQueue } from '../../domain/queues.ts';
import type { Outbox, QueueState, Inbox, SubscriptionsVersion, TakeResult } from '../storage.ts';
import { chunksOf, evenWhenFull, type RedisConnection, createScript } from './connection.ts';
import { alertsBase, entryArguments, queueFunctions, createUnreadableTexts } from './queue-entries.ts';
import { createGathering } from '../../time/timers.ts';
import { redisKey } from './schema.ts';

/** What the names of the fields begin with that hold the parts of a state. */
export const partMark = 'part:';

/** How many states a script forgets: Redis serves no other client meanwhile. */
const forgottenAtOnce = 100;

// KEYS of every script: the base.

/** ARGV: queue, limit, subscriptions that are left out. Gives position and content of each. */
const readWaiting = `${queueFunctions}
local queue, limit = ARGV[1], tonumber(ARGV[2])
local except = {}
for n = 3, #ARGV do except[ARGV[n]] = true end
local positions = {}
for _, subscription in ipairs(redis.call('SMEMBERS', base .. 'owned:' .. queue)) do
  if not except[subscription] then
    for _, position in ipairs(redis.call('ZRANGE', base .. 'places:' .. queue .. ':' .. subscription, 0, limit - 1)) do table.insert(positions, position) end
  end
end
table.sort(positions, function(one, other) return tonumber(one) < tonumber(other) end)
local found = {}
for n = 1, math.min(limit, #positions) do
  table.insert(found, positions[n])
  table.insert(found, redis.call('HGET', base .. 'entries:' .. queue, positions[n]))
end
return found`;

/** ARGV: queue, version it must have, state, is busy, now, queue beside it (empty: none), its version and state, number of positions to remove, these, number of parts from now on (empty: as they are), number of those to put, number and content of each, then queue, subscription, time and content of each entry to put. */
const commit = `${queueFunctions}
local function isAt(name, version)
  return tonumber(redis.call('HGET', base .. 'state:' .. name, 'version') or 0) == tonumber(version)
end
local function keep(name, text, isBusy)
  redis.call('HSET', base .. 'state:' .. name, 'state', text)
  redis.call('HINCRBY', base .. 'state:' .. name, 'version', 1)
  redis.call(isBusy == '1' and 'SADD' or 'SREM', base .. 'busy', name)
  redis.call('ZADD', base .. 'changed:' .. string.match(name, '^[^/]*'), ARGV[5], name)
end
local queue, beside = ARGV[1], ARGV[6] ~= '' and ARGV[6]
local state = base .. 'state:' .. queue
if not isAt(queue, ARGV[2]) or (beside and not isAt(beside, ARGV[7])) then return 0 end
keep(queue, ARGV[3], ARGV[4])
if beside then keep(beside, ARGV[8], '0') end
local last = 9 + tonumber(ARGV[9])
for n = 10, last do remove(queue, ARGV[n]) end
local count, putTo = tonumber(ARGV[last + 1]), last + 2 + 2 * tonumber(ARGV[last + 2])
for n = last + 3, putTo, 2 do redis.call('HSET', state, 'part:' .. ARGV[n], ARGV[n + 1]) end
if count then
  for n = count, tonumber(redis.call('HGET', state, 'parts') or 0) - 1 do redis.call('HDEL', state, 'part:' .. n) end
  if count > 0 then redis.call('HSET', state, 'parts', count) else redis.call('HDEL', state, 'parts') end
end
for n = putTo + 1, #ARGV, 4 do put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3]) end
writePuts()
return 1`;
const commitWhenFull = evenWhenFull(commit);

/** ARGV: queue, subscription, time and content of each entry. */
export const putEntries = `${queueFunctions}
for n = 1, #ARGV, 4 do put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3]) end
writePuts()`;

/** Gives queue, number of entries and time of the oldest (empty where there is none) of each. */
const readQueues = `${queueFunctions}
local found = {}
for _, queue in ipairs(redis.call('SUNION', base .. 'queues', base .. 'busy')) do
  local oldest = ''
  for _, subscription in ipairs(redis.call('SMEMBERS', base .. 'owned:' .. queue)) do
    local at = redis.call('ZRANGE', base .. 'ages:' .. queue .. ':' .. subscription, 0, 0, 'WITHSCORES')[2]
    if oldest == '' or tonumber(at) < tonumber(oldest) then oldest = at end
  end
  table.insert(found, queue)
  table.insert(found, tostring(redis.call('HLEN', base .. 'entries:' .. queue)))
  table.insert(found, oldest)
end
return found`;

/** ARGV: subscription, time. Gives how many were dropped. */
const drop = evenWhenFull(`${queueFunctions}
local dropped = 0
for _, queue in ipairs(redis.call('SMEMBERS', base .. 'queues-of:' .. ARGV[1])) do
  local positions = redis.call('ZRANGEBYSCORE', base .. 'ages:' .. queue .. ':' .. ARGV[1], '-inf', '(' .. ARGV[2])
  for _, position in ipairs(positions) do remove(queue, position) end
  dropped = dropped + #positions
end
return dropped`);

/** ARGV: kind of queue, time, how many to pass over. Gives how many states it looked at, and how many of them it kept. */
const forgetStates = evenWhenFull(`${queueFunctions}
local changed = base .. 'changed:' .. ARGV[1]
local queues = redis.call('ZRANGEBYSCORE', changed, '-inf', '(' .. ARGV[2], 'LIMIT', ARGV[3], ${forgottenAtOnce})
local kept = 0
for _, queue in ipairs(queues) do
  if redis.call('SISMEMBER', base .. 'busy', queue) == 1 or redis.call('EXISTS', base .. 'owned:' .. queue) == 1 then
    kept = kept + 1
  else
    redis.call('ZREM', changed, queue)
    redis.call('UNLINK', base .. 'state:' .. queue)
  end
end
return { #queues, kept }`);

/** ARGV: queue, position. */
export const removeEntry = `${queueFunctions}
remove(ARGV[1], ARGV[2])`;

/** ARGV: position, queue, subscription, time and content of each entry. Queues' states name positions, so that these have to stay. */
const restore = `${queueFunctions}
for n = 1, #ARGV, 5 do
  redis.call('SET', base .. 'position', ARGV[n] - 1)
  put(ARGV[n + 1], ARGV[n + 2], ARGV[n + 3], ARGV[n + 4])
  writePuts()
end`;

interface RestorableOutbox {
  /** Puts entries of another store where there are none, at the places they had there. */
  restore(entries: readonly (QueueEntry & { queue: string })[]): Promise<void>;
  restoreState(kept: {
    queue: string;
    version: number;
    state: unknown;
    parts: ReadonlyMap<number, unknown>;
    isBusy: boolean;
    changedAt: number;
  }): Promise<void>;
  /** The last place that was given: what comes next comes after it. */
  restorePosition(position: number): Promise<void>;
}

/** The outbox in Redis, for all instances. Every change is one script, and so one step. */
export function createRedisOutbox(
  client: RedisConnection,
  prefix: string,
  { now, onError }: { now: () => number; onError?: (error: unknown) => void },
): Outbox & RestorableOutbox {
  const base = alertsBase(prefix);
  const unreadable = createUnreadableTexts(client, prefix, onError);

  return {
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      const reply = await client.eval(readWaiting, {
        keys: [base],
        arguments: [queue, String(limit), ...exceptSubscriptions],
      });
      return unreadable.read(
        chunksOf(reply as string[], 2),
        ([position, text]) => entryOf(Number(position), text ?? ''),
        ([position = '', text]) => ({
          name: `${queue}/${position}`,
          text,
          remove: (step) => void step.eval(removeEntry, { keys: [base], arguments: [queue, position] }),
        }),
      );
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const [version, text] = await client.hmGet(`${base}state:${queue}`, ['version', 'state']);
      const [kept] = unreadable.read(
        typeof text === 'string' ? [text] : [],
        (one) => ({ version: Number(version), state: JSON.parse(one) as State }),
        (one) => ({ name: `state/${queue}`, text: one, remove: (step) => void step.del(`${base}state:${queue}`) }),
      );
      return kept ?? { version: 0, state: undefined };
    },
    versionOf: async (queue) => Number((await client.hGet(`${base}state:${queue}`, 'version')) ?? 0),
    async stateWithParts(queue) {
      const key = `${base}state:${queue}`;
      const { version, state: text, ...fields } = await client.hGetAll(key);
      const [kept] = unreadable.read(
        text === undefined ? [] : [text],
        (one) => ({ version: Number(version), state: JSON.parse(one) as unknown }),
        (one) => ({ name: `state/${queue}`, text: one, remove: (step) => void step.hDel(key, ['state', 'version']) }),
      );
      const parts = unreadable.read(
        Object.entries(fields).filter(([field]) => field.startsWith(partMark)),
        ([field, one]) => [Number(field.slice(partMark.length)), JSON.parse(one) as unknown] as const,
        ([field, one]) => ({
          name: `state/${queue}/${field}`,
          text: one,
          remove: (step) => void step.hDel(key, field),
        }),
      );
      return { ...(kept ?? { version: 0, state: undefined }), parts: new Map(parts) };
    },
    async commit(queue, { version, state, parts, isBusy, remove = [], put = [], beside, isRefusedWhenFull = false }) {
      const reply = await client.eval(put.length === 0 && !isRefusedWhenFull ? commitWhenFull : commit, {
        keys: [base],
        arguments: [
          queue,
          String(version),
          JSON.stringify(state),
          isBusy ? '1' : '0',
          String(now()),
          ...(beside ? [beside.queue, String(beside.version), JSON.stringify(beside.state)] : ['', '', '']),
          String(remove.length),
          ...remove.map(String),
          String(parts?.count ?? ''),
          String(parts?.changed.size ?? 0),
          ...[...(parts?.changed ?? [])].flatMap(([part, content]) => [String(part), JSON.stringify(content)]),
          ...put.flatMap(entryArguments),
        ],
      });
      return reply === 1;
    },
    async put(entries) {
      if (entries.length > 0)
        await client.eval(putEntries, { keys: [base], arguments: entries.flatMap(entryArguments) });
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
      await client.eval(restore, {
        keys: [base],
        arguments: entries.flatMap(({ position, ...entry }) => [String(position), ...entryArguments(entry)]),
      });
    },
    async restoreState({ queue, version, state, parts, isBusy, changedAt }) {
      await client.hSet(`${base}state:${queue}`, {
        version,
        state: JSON.stringify(state),
        ...(parts.size > 0 && { parts: Math.max(...parts.keys()) + 1 }),
        ...Object.fromEntries([...parts].map(([part, content]) => [`${partMark}${part}`, JSON.stringify(content)])),
      });
      if (isBusy) await client.sAdd(`${base}busy`, queue);
      await client.zAdd(`${base}changed:${readQueue(queue).kind}`, { score: changedAt, value: queue });
    },
    async restorePosition(position) {
      await client.set(`${base}position`, position);
    },
    async drop(subscriptionId, before) {
      return Number(await client.eval(drop, { keys: [base], arguments: [subscriptionId, String(before)] }));
    },
    async forgetStates(unchangedSince) {
      for (const [kind, time] of Object.entries(unchangedSince)) {
        for (let [examined, passedOver] = [forgottenAtOnce, 0]; examined === forgottenAtOnce;) {
          const reply = (await client.eval(forgetStates, {
            keys: [base],
            arguments: [kind, String(time), String(passedOver)],
          })) as [number, number];
          examined = reply[0];
          passedOver += reply[1];
        }
      }
    },
  };
}

function entryOf(position: number, text: string): QueueEntry {
  return { ...(JSON.parse(text) as Omit<QueueEntry, 'position'>), position };
}

/** Events forgotten per step. Redis serves no other client during a step. */
const eventsForgottenAtOnce = 200;
/** Events taken per step. */
const takenAtOnce = 100;

// The keys are under the base, where `schema.ts` describes them.

/**
 * Takes events, one after the other. KEYS: base, then for each event the state of the subscriptions. ARGV, for each event: id, time,
 * subject, is backfilled, version that was matched (empty: none), what it says of the subject and what that replaces (empty: nothing),
 * the number of its entries, and these. Gives for each what came of it: a list where another event has told something of the subject.
 */
const takeAll = createScript(`${queueFunctions}
local versions = {}
local function isCurrent(key, version)
  versions[key] = versions[key] or redis.call('HGET', key, 'version') or '0'
  return versions[key] == version
end

local function take(versionKey, first, last)
  local id, time, subject, backfilled, version, result, replaces = unpack(ARGV, first, first + 6)
  local isBackfilled = backfilled == '1'
  if version ~= '' and not isCurrent(versionKey, version) then return 'outdated' end
  if isBackfilled and redis.call('ZSCORE', base .. 'known-subjects', subject) then return 'known' end
  local known = subject ~= '' and result ~= '' and redis.call('HGET', base .. 'results', subject)
  if known and known ~= replaces then return redis.call('ZSCORE', base .. 'known', id) and 'known' or {known} end
  if redis.call('ZADD', base .. 'known', 'NX', time, id) == 0 then return 'known' end
  if subject ~= '' and result ~= '' then redis.call('HSET', base .. 'results', subject, result) end
  local wasAnnounced = subject ~= '' and replaces == '' and redis.call('ZSCORE', base .. 'backfilled-subjects', subject)
  if subject ~= '' then redis.call('ZADD', base .. 'known-subjects', time, subject) end
  if isBackfilled then redis.call('ZADD', base .. 'backfilled-subjects', time, subject) end
  if wasAnnounced then return 'taken' end
  for n = first + 8, last, 4 do put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3]) end
  return 'taken'
end

local taken, first = {}, 1
for n = 2, #KEYS do
  local last = first + 7 + 4 * tonumber(ARGV[first + 7])
  local isTaken, result = pcall(take, KEYS[n], first, last)
  if not isTaken then
    -- What was taken before it is known by now, and would not be taken again.
    writePuts()
    error(result)
  end
  table.insert(taken, result)
  first = last + 1
end
writePuts()
return taken`);

/** KEYS: base. ARGV: time, limit. Gives how many were forgotten. */
const forget = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'known', '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
local forgotten = 0
for _, id in ipairs(ids) do forgotten = forgotten + redis.call('ZREM', KEYS[1] .. 'known', id) end
for _, key in ipairs({'known-subjects', 'backfilled-subjects'}) do
  for _, subject in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1] .. key, '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])) do
    forgotten = forgotten + redis.call('ZREM', KEYS[1] .. key, subject)
    if key == 'known-subjects' then redis.call('HDEL', KEYS[1] .. 'results', subject) end
  end
end
return forgotten`;

interface RestorableInbox {
  /** Adds the known events of another store. */
  restoreKnown(events: readonly Omit<NewEvent, 'content'>[]): Promise<void>;
}

type Arrival = Parameters<Inbox['take']>;

/** The inbox in Redis, for all instances. */
export function createRedisInbox(client: RedisConnection, prefix: string): Inbox & RestorableInbox {
  const base = alertsBase(prefix);
  const versionKey = (matched: SubscriptionsVersion | undefined) =>
    redisKey(prefix, '{alerts}:state:<queue>', subscriptionsQueue(matched?.teamId ?? ''));
  const takeSoon = createGathering(takenAtOnce, async (arrivals: readonly Arrival[]) => {
    const reply = (await takeAll(client, {
      keys: [base, ...arrivals.map(([, , matched]) => versionKey(matched))],
      arguments: arrivals.flatMap(takeArguments),
    })) as (string | string[])[];
    return reply.map((one) => (Array.isArray(one) ? { knownResult: one[0] ?? '' } : (one as TakeResult)));
  });

  return {
    take: (...arrival) => takeSoon(arrival),
    knownIds: (ids) => membersOf(client, `${base}known`, ids),
    knownSubjects: (subjects) => membersOf(client, `${base}known-subjects`, subjects),
    async forgetBefore(time) {
      while (
        Number(await client.eval(forget, { keys: [base], arguments: [String(time), String(eventsForgottenAtOnce)] })) >
        0
      );
      return true;
    },
    async restoreKnown(events) {
      await Promise.all(
        events.map(async ({ id, subject, isBackfilled, takenAt: score, result }) => {
          await client.zAdd(`${base}known`, { score, value: id });
          if (subject !== '') await client.zAdd(`${base}known-subjects`, { score, value: subject });
          if (result !== undefined) await client.hSet(`${base}results`, subject, result);
          if (isBackfilled) await client.zAdd(`${base}backfilled-subjects`, { score, value: subject });
        }),
      );
    },
  };
}

function takeArguments([event, entries = [], matched]: Arrival): string[] {
  const { id, subject, isBackfilled, takenAt, result = '', replaces = '' } = event;
  return [
    id,
    String(takenAt),
    subject,
    isBackfilled ? '1' : '0',
    matched === undefined ? '' : String(matched.version),
    result,
    replaces,
    String(entries.length),
    ...entries.flatMap(entryArguments),
  ];
}

async function membersOf(client: RedisConnection, key: string, members: readonly string[]): Promise<Set<string>> {
  if (members.length === 0) return new Set();
  const scores = await client.zmScore(key, [...members]);
  return new Set(members.filter((_, n) => scores[n] !== null));
}
