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
export const claimScript = `${sharedParts}
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
export const answeredScript = `${sharedParts}
for index = 2, #ARGV do
  redis.call('ZADD', counted, 'XX', 'LT', string.format('%d', now), ARGV[index])
end
`;

/** ARGV: windows, the wait in ms that the service asks for, a name for this refusal, a seed. */
export const refuseScript = `${sharedParts}
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
export const readScript = `${sharedParts}
local times = {}
local requests = redis.call('ZRANGE', counted, 0, -1, 'WITHSCORES')
for index = 2, #requests, 2 do times[#times + 1] = tonumber(requests[index]) end
return { now, refusedUntil(), times, personAt() }
`;
