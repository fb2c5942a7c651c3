import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import type { RedisConnection } from './connection.ts';
import type { Approvals } from '../storage.ts';

/** KEYS: the request, the pending ids. ARGV: id, request, created at, is pending, the version it must have (0: none yet). */
const put = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if version ~= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], 'request', ARGV[2], 'version', version + 1)
if ARGV[4] == '1' then redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1`;

/** Approval requests in Redis. One script compares the version and replaces the request. */
export function createRedisApprovals(client: RedisConnection, prefix: string): Approvals & { restore(stored: StoredRequest): Promise<void> } {
  const pendingKey = (teamId: string) => `${prefix}:{approvals:${teamId}}:pending`;
  const keyOf = (teamId: string, id: string) => `${prefix}:{approvals:${teamId}}:${id}`;

  async function putIf(request: ApprovalRequest, version: number): Promise<boolean> {
    const { id, teamId, createdAt, state } = request;
    const reply = await client.eval(put, {
      keys: [keyOf(teamId, id), pendingKey(teamId)],
      arguments: [id, JSON.stringify(request), String(createdAt), state === 'announced' ? '0' : '1', String(version)],
    });
    return reply === 1;
  }

  async function byId(teamId: string, id: string) {
    const [text, version] = await client.hmGet(keyOf(teamId, id), ['request', 'version']);
    return typeof text === 'string' ? { request: JSON.parse(text) as ApprovalRequest, version: Number(version) } : undefined;
  }

  return {
    byId,
    async add(request) {
      if (!(await putIf(request, 0))) throw new Error(`the id ${request.id} is taken`);
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
