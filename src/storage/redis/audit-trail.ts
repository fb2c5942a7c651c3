import { nextLink, type ChainHead, type ChainLink } from '../../domain/audit-chain.ts';
import type { SealedEntry } from '../../domain/sealed-entry.ts';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import type { SealedTrail } from '../storage.ts';

/** KEYS: links, head. ARGV: the position and hash the head must have, the link, its hash. */
const append = `
local position = tonumber(redis.call('HGET', KEYS[2], 'position') or 0)
local hash = redis.call('HGET', KEYS[2], 'hash') or ''
if position ~= tonumber(ARGV[1]) or hash ~= ARGV[2] then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[2], 'position', position + 1, 'hash', ARGV[4])
return 1`;

interface RestorableTrail {
  /** Adds links of another store's trail as they are there, the oldest first. */
  restore(teamId: string, links: readonly ChainLink[]): Promise<void>;
  restoreHead(teamId: string, head: ChainHead): Promise<void>;
}

/** The audit trail in Redis. Redis cannot make SHA-256, so a link is made here and taken only if the head is still the same. */
export function createRedisAudit(client: RedisConnection, prefix: string): SealedTrail & RestorableTrail {
  const linksKey = (teamId: string) => redisKey(prefix, '{audit:<team>}:links', teamId);
  const headKey = (teamId: string) => redisKey(prefix, '{audit:<team>}:head', teamId);
  /** One after another within an instance, or they would only make each other try again. */
  let last: Promise<unknown> = Promise.resolve();

  async function headOf(teamId: string): Promise<ChainHead> {
    const [position, hash] = await client.hmGet(headKey(teamId), ['position', 'hash']);
    return { position: Number(position ?? 0), hash: hash ?? '' };
  }

  async function appendNow(teamId: string, entry: SealedEntry): Promise<ChainLink> {
    for (;;) {
      const head = await headOf(teamId);
      const link = nextLink(head, JSON.stringify(entry));
      const reply = await client.eval(append, {
        keys: [linksKey(teamId), headKey(teamId)],
        arguments: [String(head.position), head.hash, JSON.stringify(link), link.hash],
      });
      if (reply === 1) return link;
    }
  }

  const range = async (teamId: string, from: number, to: number) =>
    to < from ? [] : (await client.lRange(linksKey(teamId), from, to)).map((text) => JSON.parse(text) as ChainLink);

  return {
    append(teamId, entry) {
      const appended = last.then(() => appendNow(teamId, entry));
      last = appended.catch(() => {});
      return appended;
    },
    async latest(teamId, limit, before = Infinity) {
      const end = Math.min(before - 1, await client.lLen(linksKey(teamId)));
      return (await range(teamId, Math.max(0, end - limit), end - 1)).toReversed();
    },
    since: (teamId, after, limit) => range(teamId, after, after + limit - 1),
    head: headOf,
    async restore(teamId, links) {
      if (links.length > 0)
        await client.rPush(
          linksKey(teamId),
          links.map((link) => JSON.stringify(link)),
        );
    },
    async restoreHead(teamId, { position, hash }) {
      await client.hSet(headKey(teamId), { position, hash });
    },
  };
}
