import { subscriptionsQueue, type NewEvent } from '../../domain/queues.ts';
import type { Inbox, SubscriptionsVersion, TakeResult } from '../storage.ts';
import { createScript, type RedisConnection } from './connection.ts';
import { createGathering } from '../../time/timers.ts';
import { alertsBase, entryArguments, queueFunctions } from './queue-entries.ts';
import { redisKey } from './schema.ts';

/** Events forgotten per step. Redis serves no other client during a step. */
const forgottenAtOnce = 200;
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
        Number(await client.eval(forget, { keys: [base], arguments: [String(time), String(forgottenAtOnce)] })) > 0
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
