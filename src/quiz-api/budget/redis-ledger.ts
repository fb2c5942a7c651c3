import { createHash, randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createGathering } from '../../time/timers.ts';
import {
  defaultMarginMs,
  type Ledger,
  type Permit,
  distanceMs,
  inUseMs,
  othersStayMs,
  reserveOf,
  serviceWindows,
  spanMs,
  type RateWindow,
} from './rate-windows.ts';

/** The commands of a node-redis client that the ledger uses. */
export interface RedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  zRem(key: string, member: string): Promise<unknown>;
}

/** Answers recorded per step. */
const answeredAtOnce = 1_000;

const claimReply = z.tuple([z.number(), z.number(), z.number()]);
const readReply = z.tuple([z.number(), z.number(), z.array(z.number()), z.number()]);

/**
 * A ledger that all instances with the same API key share. All times are in Redis' clock, so the
 * instances' own clocks may differ.
 *
 * @param options.onError called when an answer could not be recorded; its request then counts a
 *   little longer than it must
 */
export function createRedisLedger(options: {
  client: RedisClient;
  apiKey: string;
  windows?: readonly RateWindow[] | undefined;
  marginMs?: number | undefined;
  onError?: ((error: unknown) => void) | undefined;
}): Ledger {
  const { client, windows = serviceWindows, marginMs = defaultMarginMs(windows), onError = () => {} } = options;
  const account = createHash('sha256').update(options.apiKey).digest('hex').slice(0, 32);
  const keyOf = (name: string) => `quiz-budget:{${account}}:${name}`;
  const countedKey = keyOf('counted');
  const keys = [countedKey, keyOf('refused'), keyOf('person')];
  const encodedWindows = JSON.stringify(
    windows
      .map((window) => ({
        limit: window.limit,
        windowMs: window.windowMs,
        spanMs: spanMs(window),
        othersStayMs: othersStayMs(windows, window),
        inUseMs: inUseMs(window),
        distanceMs: distanceMs(window),
        ...reserveOf(window),
      }))
      .toSorted((a, b) => a.windowMs - b.windowMs),
  );
  const run = async (script: string, ...parameters: string[]): Promise<unknown> =>
    client.eval(script, { keys, arguments: [encodedWindows, ...parameters] });

  const recordAnswer = createGathering(answeredAtOnce, async (requests: readonly string[]) => {
    await run(answeredScript, ...requests).catch(onError);
    return requests;
  });
  const createPermit = (request: string): Permit => ({
    answered: () => void recordAnswer(request),
    cancel: () => {
      client.zRem(countedKey, request).catch(onError);
    },
  });

  return {
    windows,
    claim: async (wanted) => {
      const claim = randomUUID();
      const reply = await run(claimScript, String(wanted.person), String(wanted.background), String(marginMs), claim);
      const [person, background, retryInMs] = claimReply.parse(reply);
      const permits = Array.from({ length: person + background }, (_, index) => createPermit(`${claim}:${index}`));
      return { granted: { person: permits.slice(0, person), background: permits.slice(person) }, retryInMs };
    },
    recordRefusal: async (retryAfterMs) => {
      await run(refuseScript, String(Math.ceil(retryAfterMs)), randomUUID(), String(randomInt(2 ** 31)));
    },
    read: async () => {
      const [now, refusedUntil, counted, personAt] = readReply.parse(await run(readScript));
      return { now, refusedUntil, counted, personAt };
    },
  };
}

/*
 * The ledger in Redis. Each script is a single atomic step, in Redis' own clock.
 *
 * KEYS[1] counted: a sorted set of requests, scored with the time from which they count
 * KEYS[2] refused: the time until which the service refuses requests
 * KEYS[3] person: the time of the latest request of a person
 *
 * The arithmetic is that of rate-windows.ts, where its reasons are; the same tests run against both.
 */

// The first command lets the script write in a Redis that has reached `maxmemory`: what it keeps is bounded.
const sharedParts = `
redis.call('DEL', KEYS[1] .. ':none')
local counted, refused, latestPerson = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows = cjson.decode(ARGV[1])
local most, longest, longestInUse = 0, 0, 0
for _, window in ipairs(windows) do
  most = math.max(most, window.limit)
  longestInUse = math.max(longestInUse, window.inUseMs)
  longest = math.max(longest, window.spanMs)
end

local function count(at, request)
  redis.call('ZADD', counted, string.format('%d', at), request)
end

local function forgetOld()
  redis.call('ZREMRANGEBYRANK', counted, 0, -most - 1)
  redis.call('PEXPIRE', counted, longest * 5)
end

local function personAt()
  return tonumber(redis.call('GET', latestPerson) or 0)
end

local function refusedUntil()
  return tonumber(redis.call('GET', refused) or 0)
end
`;

/**
 * ARGV: windows, the permits wanted for people and for background work, margin in ms, a name for this claim.
 * Returns the permits granted to each, and the milliseconds until another claim may succeed.
 */
const claimScript = `${sharedParts}
local wanted = { person = tonumber(ARGV[2]), background = tonumber(ARGV[3]) }
local marginMs, claim = tonumber(ARGV[4]), ARGV[5]
local blockedUntil = refusedUntil()
local taken = 0

local function turnWith(window, reserve)
  local rank = reserve - window.limit
  local blocking = tonumber(redis.call('ZRANGE', counted, rank, rank, 'WITHSCORES')[2])
  if not blocking then return 0 end
  if blocking > now then return blocking + window.spanMs - marginMs end
  return blocking + window.spanMs
end

local function turnIn(window, priority)
  if priority == 'person' then return turnWith(window, 0) end
  local inQuietAt = math.max(personAt() + window.inUseMs, turnWith(window, window.inQuiet))
  for reserve = window.inQuiet + 1, window.inUse do
    inQuietAt = math.max(inQuietAt, turnWith(window, reserve) - reserve * window.distanceMs)
  end
  return math.min(turnWith(window, window.inUse), inQuietAt)
end

local function nextTurnAt(priority)
  local latest = blockedUntil
  for _, window in ipairs(windows) do latest = math.max(latest, turnIn(window, priority)) end
  return latest
end

local function take(priority)
  local granted = 0
  while granted < wanted[priority] and nextTurnAt(priority) <= now do
    count(now + marginMs, claim .. ':' .. taken)
    granted, taken = granted + 1, taken + 1
  end
  return granted
end

local person = take('person')
if person > 0 then redis.call('SET', latestPerson, string.format('%d', now), 'PX', string.format('%d', longestInUse)) end
local waiting = person < wanted.person and 'person' or 'background'
local background = waiting == 'background' and take('background') or 0
if taken > 0 then forgetOld() end
return { person, background, math.max(0, nextTurnAt(waiting) - now) }
`;

/** ARGV: windows, then the names of the requests that were answered. */
const answeredScript = `${sharedParts}
for index = 2, #ARGV do
  redis.call('ZADD', counted, 'XX', 'LT', string.format('%d', now), ARGV[index])
end
`;

/** ARGV: windows, the wait in ms that the service asks for, a name for this refusal, a seed. */
const refuseScript = `${sharedParts}
local retryAfterMs, refusal = tonumber(ARGV[2]), ARGV[3]
math.randomseed(tonumber(ARGV[4]))
local full = windows[#windows]
for index = #windows, 1, -1 do
  if windows[index].windowMs >= retryAfterMs then full = windows[index] end
end
local used = redis.call('ZCOUNT', counted, '(' .. string.format('%d', now - full.spanMs), '+inf')
for index = 1, full.limit - used - 1 do
  local leavesInMs = retryAfterMs + math.random() * math.max(0, full.othersStayMs - retryAfterMs)
  count(math.floor(now + leavesInMs - full.spanMs), refusal .. ':' .. index)
end
forgetOld()
if retryAfterMs > 0 and now + retryAfterMs > refusedUntil() then
  redis.call('SET', refused, string.format('%d', now + retryAfterMs), 'PX', string.format('%d', retryAfterMs))
end
`;

/** ARGV: windows. Returns the time, the time until which the service refuses, the times of all requests, and that of a person’s latest. */
const readScript = `${sharedParts}
local times = {}
local requests = redis.call('ZRANGE', counted, 0, -1, 'WITHSCORES')
for index = 2, #requests, 2 do times[#times + 1] = tonumber(requests[index]) end
return { now, refusedUntil(), times, personAt() }
`;
