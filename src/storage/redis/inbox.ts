import type { Submission } from '../../domain/queue-entry.ts';
import { subscriptionsQueue } from '../../domain/queue-names.ts';
import {
  longestPostponementMs,
  type Inbox,
  type NewEvent,
  type SubscriptionsVersion,
  type TakeResult,
  type WaitingEvent,
} from '../storage.ts';
import { chunksOf, createScript, evenWhenFull, type RedisConnection } from './connection.ts';
import { createGathering } from '../../time/timers.ts';
import { alertsBase, entryArguments, queueFunctions, createUnreadableTexts } from './queue-entries.ts';
import { redisKey } from './schema.ts';

/** Events forgotten per step. Redis serves no other client during a step. */
const forgottenAtOnce = 200;
/** Events taken per step. */
const takenAtOnce = 100;

// The keys are under the base, where `schema.ts` describes them. Postponed events are in no line.

/**
 * Takes events, one after the other. KEYS: base, then for each event the state of the subscriptions. ARGV, for each event: id, time,
 * subject, is backfilled, what its content is (empty: nothing), the event as it waits, version that was matched (empty: none), what
 * it says of the subject and what that replaces (empty: nothing), the number of its entries, and these. Gives for each what came of
 * it: a list where another event has told something of the subject.
 */
const takeAll = createScript(`${queueFunctions}
local versions = {}
local function isCurrent(key, version)
  versions[key] = versions[key] or redis.call('HGET', key, 'version') or '0'
  return versions[key] == version
end

local holdsSubmissions = redis.call('EXISTS', base .. 'held-submissions') == 1
local function take(versionKey, first, last)
  local id, time, subject, backfilled, kind, event, version, result, replaces = unpack(ARGV, first, first + 8)
  local isBackfilled = backfilled == '1'
  local isHeld = kind == 'hint' or (kind ~= '' and (version == '' or holdsSubmissions))
  if version ~= '' and not isHeld and not isCurrent(versionKey, version) then return 'outdated' end
  if isBackfilled and redis.call('ZSCORE', base .. 'known-subjects', subject) then return 'known' end
  local known = subject ~= '' and result ~= '' and redis.call('HGET', base .. 'results', subject)
  if known and known ~= replaces then return redis.call('ZSCORE', base .. 'known', id) and 'known' or {known} end
  if redis.call('ZADD', base .. 'known', 'NX', time, id) == 0 then return 'known' end
  if subject ~= '' and result ~= '' then redis.call('HSET', base .. 'results', subject, result) end
  local wasAnnounced = subject ~= '' and replaces == '' and redis.call('ZSCORE', base .. 'backfilled-subjects', subject)
  if subject ~= '' then redis.call('ZADD', base .. 'known-subjects', time, subject) end
  if isBackfilled then redis.call('ZADD', base .. 'backfilled-subjects', time, subject) end
  if wasAnnounced then return 'taken' end
  if isHeld then
    local place = redis.call('INCR', base .. 'place')
    redis.call('ZADD', base .. 'held-' .. kind .. 's', place, place)
    redis.call('HSET', base .. 'held', place, event)
    redis.call('SADD', base .. 'held-ids', id)
    if subject ~= '' then redis.call('SADD', base .. 'held-subjects', subject) end
    holdsSubmissions = holdsSubmissions or kind == 'submission'
    return 'held'
  end
  for n = first + 10, last, 4 do put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3]) end
  return 'taken'
end

local taken, first = {}, 1
for n = 2, #KEYS do
  local last = first + 9 + 4 * tonumber(ARGV[first + 9])
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

/** KEYS: base. ARGV: limit, now, the latest time that can be due. Gives place and event of each. */
const readWaiting = `
local found, left = {}, tonumber(ARGV[1])
local function add(places)
  for _, place in ipairs(places) do
    table.insert(found, place)
    table.insert(found, redis.call('HGET', KEYS[1] .. 'held', place))
    left = left - 1
  end
end
for _, kind in ipairs({'submissions', 'hints'}) do
  if left > 0 then add(redis.call('ZRANGE', KEYS[1] .. 'held-' .. kind, 0, left - 1)) end
end
if left > 0 then add(redis.call('ZRANGEBYSCORE', KEYS[1] .. 'postponed', '-inf', ARGV[2], 'LIMIT', 0, left)) end
if left > 0 then add(redis.call('ZRANGEBYSCORE', KEYS[1] .. 'postponed', '(' .. ARGV[3], '+inf', 'LIMIT', 0, left)) end
return found`;

/** KEYS: base. ARGV: place, when it is due, the event with its failures. */
const postpone = evenWhenFull(`
if redis.call('HEXISTS', KEYS[1] .. 'held', ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1] .. 'held', ARGV[1], ARGV[3])
redis.call('ZREM', KEYS[1] .. 'held-submissions', ARGV[1])
redis.call('ZREM', KEYS[1] .. 'held-hints', ARGV[1])
redis.call('ZADD', KEYS[1] .. 'postponed', ARGV[2], ARGV[1])
return 1`);

/** KEYS: base. Gives the number of postponed events, that of the others, and the first of each kind of these. */
const readCount = `
local postponed = redis.call('ZCARD', KEYS[1] .. 'postponed')
local reply = {tostring(postponed), tostring(redis.call('HLEN', KEYS[1] .. 'held') - postponed)}
for _, kind in ipairs({'submissions', 'hints'}) do
  local place = redis.call('ZRANGE', KEYS[1] .. 'held-' .. kind, 0, 0)[1]
  if place then table.insert(reply, redis.call('HGET', KEYS[1] .. 'held', place)) end
end
return reply`;

/** KEYS: base, state of the subscriptions. ARGV: version that was matched (empty: none), then for each event its place, the number of its entries, and these. */
const settle = evenWhenFull(`${queueFunctions}
if ARGV[1] ~= '' and (redis.call('HGET', KEYS[2], 'version') or '0') ~= ARGV[1] then return 0 end
local n = 2
while ARGV[n] do
  local place, last = ARGV[n], n + 1 + 4 * tonumber(ARGV[n + 1])
  n = n + 2
  local event = redis.call('HGET', base .. 'held', place)
  if event then
    redis.call('HDEL', base .. 'held', place)
    local decoded = cjson.decode(event)
    redis.call('SREM', base .. 'held-ids', decoded.id)
    local submission = decoded.content.submission
    if submission then redis.call('SREM', base .. 'held-subjects', submission.quizId .. '/' .. submission.responseId) end
    redis.call('ZREM', base .. 'held-submissions', place)
    redis.call('ZREM', base .. 'held-hints', place)
    redis.call('ZREM', base .. 'postponed', place)
    for entry = n, last, 4 do put(ARGV[entry], ARGV[entry + 1], ARGV[entry + 2], ARGV[entry + 3]) end
  end
  n = last + 1
end
writePuts()
return 1`);

/** KEYS: base. ARGV: time, limit. Gives how many were forgotten. */
const forget = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'known', '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
local forgotten = 0
for _, id in ipairs(ids) do
  if redis.call('SISMEMBER', KEYS[1] .. 'held-ids', id) == 0 then forgotten = forgotten + redis.call('ZREM', KEYS[1] .. 'known', id) end
end
for _, key in ipairs({'known-subjects', 'backfilled-subjects'}) do
  for _, subject in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1] .. key, '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])) do
    if redis.call('SISMEMBER', KEYS[1] .. 'held-subjects', subject) == 0 then
      forgotten = forgotten + redis.call('ZREM', KEYS[1] .. key, subject)
      if key == 'known-subjects' then redis.call('HDEL', KEYS[1] .. 'results', subject) end
    end
  end
end
return forgotten`;

interface RestorableInbox {
  /** Adds the known events of another store. `restoreWaiting` adds the events that wait there. */
  restoreKnown(events: readonly Omit<NewEvent, 'content'>[]): Promise<void>;
  restoreWaiting(events: readonly WaitingEvent[]): Promise<void>;
}

/** An event that is to be taken, with what it was matched with. */
interface Arrival {
  event: NewEvent;
  match: Parameters<Inbox['take']>[1];
}

/** The inbox in Redis, for all instances. */
export function createRedisInbox(
  client: RedisConnection,
  prefix: string,
  onError?: (error: unknown) => void,
): Inbox & RestorableInbox {
  const base = alertsBase(prefix);
  const unreadable = createUnreadableTexts(client, prefix, onError);
  const versionKey = (matched: SubscriptionsVersion | undefined) =>
    redisKey(prefix, '{alerts}:state:<queue>', subscriptionsQueue(matched?.teamId ?? ''));
  const takeSoon = createGathering(takenAtOnce, async (arrivals: readonly Arrival[]) => {
    const reply = (await takeAll(client, {
      keys: [base, ...arrivals.map(({ match }) => versionKey(match))],
      arguments: arrivals.flatMap(takeArguments),
    })) as (string | string[])[];
    return reply.map((one) => (Array.isArray(one) ? { knownResult: one[0] ?? '' } : (one as TakeResult)));
  });

  return {
    take: (event, match) => takeSoon({ event, match }),
    async waiting(limit, now) {
      const reply = await client.eval(readWaiting, {
        keys: [base],
        arguments: [String(limit), String(now), String(now + longestPostponementMs)],
      });
      return unreadable.read(
        chunksOf(reply as string[], 2),
        ([place, text]) => ({ ...(JSON.parse(text ?? '') as Omit<WaitingEvent, 'position'>), position: Number(place) }),
        ([place = '', text]) => ({
          name: `event/${place}`,
          text,
          remove(step) {
            step.hDel(`${base}held`, place);
            for (const line of ['held-submissions', 'held-hints', 'postponed']) step.zRem(`${base}${line}`, place);
          },
        }),
      );
    },
    async countWaiting() {
      const [postponed, count, ...first] = (await client.eval(readCount, { keys: [base] })) as string[];
      const times = first.map((text) => (JSON.parse(text) as WaitingEvent).takenAt);
      return {
        count: Number(count),
        oldestAt: times.length === 0 ? undefined : Math.min(...times),
        postponed: Number(postponed),
      };
    },
    async postpone({ position, ...event }, failures) {
      await client.eval(postpone, {
        keys: [base],
        arguments: [String(position), String(failures.dueAt), waitingText({ ...event, failures })],
      });
    },
    async settle(events, matched) {
      if (events.length === 0) return true;
      const reply = await client.eval(settle, {
        keys: [base, versionKey(matched)],
        arguments: [
          matched === undefined ? '' : String(matched.version),
          ...events.flatMap(({ position, entries }) => [
            String(position),
            String(entries.length),
            ...entries.flatMap(entryArguments),
          ]),
        ],
      });
      return reply === 1;
    },
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
    async restoreWaiting(events) {
      for (const event of events) {
        // Made again after a break, this finds what it has restored.
        if ((await client.sIsMember(`${base}held-ids`, event.id)) === 1) continue;
        const place = String(await client.incr(`${base}place`));
        const step = client
          .multi()
          .zAdd(event.failures ? `${base}postponed` : `${base}held-${event.content.kind}s`, {
            score: event.failures?.dueAt ?? Number(place),
            value: place,
          })
          .hSet(`${base}held`, place, waitingText(event))
          .sAdd(`${base}held-ids`, event.id);
        if (event.content.kind === 'submission') step.sAdd(`${base}held-subjects`, subjectOf(event.content.submission));
        await step.exec();
      }
    },
  };
}

function takeArguments({ event, match }: Arrival): string[] {
  const { id, subject, isBackfilled, takenAt, content, result = '', replaces = '' } = event;
  const entries = match?.entries ?? [];
  return [
    id,
    String(takenAt),
    subject,
    isBackfilled ? '1' : '0',
    content?.kind ?? '',
    content === undefined ? '' : waitingText({ id, takenAt, content }),
    match === undefined ? '' : String(match.version),
    result,
    replaces,
    String(entries.length),
    ...entries.flatMap(entryArguments),
  ];
}

function subjectOf({ quizId, responseId }: Submission): string {
  return `${quizId}/${responseId}`;
}

function waitingText({ id, takenAt, content, failures }: Omit<WaitingEvent, 'position'>): string {
  return JSON.stringify({ id, takenAt, content, failures });
}

async function membersOf(client: RedisConnection, key: string, members: readonly string[]): Promise<Set<string>> {
  if (members.length === 0) return new Set();
  const scores = await client.zmScore(key, [...members]);
  return new Set(members.filter((_, n) => scores[n] !== null));
}
