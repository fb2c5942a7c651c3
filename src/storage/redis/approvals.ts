import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import type { Approvals } from '../storage.ts';
import { createUnreadableTexts } from './unreadable.ts';

/** KEYS: the request, the pending ids. ARGV: id, request, created at, is pending, the version it must have (0: none yet). */
const put = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if version ~= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], 'request', ARGV[2], 'version', version + 1)
if ARGV[4] == '1' then redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1`;

/**
 * KEYS: the request, the pending ids. ARGV: id, request, created at, what the keys of requests begin with. Gives the open
 * request of the same person for the same operation and input, and its version; nothing where it added the request.
 */
const putUnlessOpen = `
local function isSame(one, other)
  if type(one) ~= 'table' or type(other) ~= 'table' then return one == other end
  for key, value in pairs(one) do if not isSame(value, other[key]) then return false end end
  for key in pairs(other) do if one[key] == nil then return false end end
  return true
end
local request = cjson.decode(ARGV[2])
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local kept = redis.call('HMGET', ARGV[4] .. id, 'request', 'version')
  local isReadable, other = pcall(cjson.decode, kept[1])
  if isReadable and type(other) == 'table' then
    if other.state == 'open' and other.requesterId == request.requesterId and other.operation == request.operation and isSame(other.input, request.input) then return kept end
  end
end
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.error_reply('the id ' .. ARGV[1] .. ' is taken') end
redis.call('HSET', KEYS[1], 'request', ARGV[2], 'version', 1)
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return false`;

/** Approval requests in Redis. One script compares the version and replaces the request. */
export function createRedisApprovals(
  client: RedisConnection,
  prefix: string,
  onError?: (error: unknown) => void,
): Approvals & { restore(stored: StoredRequest): Promise<void> } {
  const unreadable = createUnreadableTexts(client, prefix, onError);
  const pendingKey = (teamId: string) => redisKey(prefix, '{approvals:<team>}:pending', teamId);
  const keyOf = (teamId: string, id: string) => redisKey(prefix, '{approvals:<team>}:<id>', teamId, id);

  async function putIf(request: ApprovalRequest, version: number): Promise<boolean> {
    const { id, teamId, createdAt, state } = request;
    const reply = await client.eval(put, {
      keys: [keyOf(teamId, id), pendingKey(teamId)],
      arguments: [id, JSON.stringify(request), String(createdAt), state === 'announced' ? '0' : '1', String(version)],
    });
    return reply === 1;
  }

  async function byId(teamId: string, id: string) {
    const kept = await client.hmGet(keyOf(teamId, id), ['request', 'version']);
    return unreadable.read([kept], storedIn, ([text]) => ({
      name: `request/${teamId}/${id}`,
      text,
      remove: (step) => void step.zRem(pendingKey(teamId), id).del(keyOf(teamId, id)),
    }))[0];
  }

  function storedIn([text, version]: readonly unknown[]): StoredRequest | undefined {
    return typeof text === 'string'
      ? { request: JSON.parse(text) as ApprovalRequest, version: Number(version) }
      : undefined;
  }

  return {
    byId,
    async add(request) {
      if (!(await putIf(request, 0))) throw new Error(`the id ${request.id} is taken`);
    },
    async addUnlessOpen(request) {
      const { id, teamId, createdAt } = request;
      const open = await client.eval(putUnlessOpen, {
        keys: [keyOf(teamId, id), pendingKey(teamId)],
        arguments: [id, JSON.stringify(request), String(createdAt), keyOf(teamId, '')],
      });
      return Array.isArray(open) ? storedIn(open) : undefined;
    },
    replace: putIf,
    /** Adds a request from another store with its version, unless the request exists. */
    async restore({ request, version }) {
      await putIf(request, 0);
      await client.hSet(keyOf(request.teamId, request.id), 'version', version);
    },
    async pending(teamId) {
      const ids = await client.zRange(pendingKey(teamId), 0, -1);
      const kept = await Promise.all(ids.map((id) => byId(teamId, id)));
      return kept.flatMap((one) => (one === undefined ? [] : [one.request]));
    },
  };
}
