import type { ChainHead, ChainLink } from '../../domain/audit-chain.ts';
import { hashBeforeSealing } from '../../domain/sealed-entry.ts';
import { createEarlierTrail } from '../earlier-trail.ts';
import { createRecordKeys } from '../record-keys.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisOutbox } from './outbox.ts';
import { redisKey } from './schema.ts';

const pageSize = 500;

/** KEYS: links, sealed links, head. ARGV: the hash that the head must have, the new position and hash. */
const replaceTrail = `
if (redis.call('HGET', KEYS[3], 'hash') or '') ~= ARGV[1] then return 0 end
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('HSET', KEYS[3], 'position', ARGV[2], 'hash', ARGV[3])
return 1`;

/** Seals the trails that versions up to 1.6 wrote. Each is sealed beside the one that it replaces, in one step. */
export async function sealTrails(store: { client: RedisConnection; prefix: string; now: () => number }): Promise<void> {
  const { client, prefix } = store;
  const beginning = redisKey(prefix, '{audit:<team>}:links', '*');
  for await (const keys of client.scanIterator({ MATCH: beginning, COUNT: 1_000 }))
    for (const key of keys) {
      const teamId = /\{audit:(.*)\}:links$/.exec(key)?.[1];
      if (teamId === undefined) continue;
      // Another instance may be writing the old way until it stops.
      while (!(await sealTrail(teamId, store)));
    }
}

async function sealTrail(
  teamId: string,
  { client, prefix, now }: { client: RedisConnection; prefix: string; now: () => number },
): Promise<boolean> {
  const links = redisKey(prefix, '{audit:<team>}:links', teamId);
  const sealed = redisKey(`${prefix}-sealing`, '{audit:<team>}:links', teamId);
  const headKey = redisKey(prefix, '{audit:<team>}:head', teamId);
  const keys = createRecordKeys(createRedisOutbox(client, prefix, { now }));
  await client.del(sealed);
  const [position, hash] = await client.hmGet(headKey, ['position', 'hash']);
  const head: ChainHead = { position: Number(position ?? 0), hash: hash ?? '' };
  const trail = createEarlierTrail();
  for (let from = 0; ; from += pageSize) {
    const page = (await client.lRange(links, from, from + pageSize - 1)).map((text) => JSON.parse(text) as ChainLink);
    if (page.length === 0) break;
    // An upgrade that broke off after this trail.
    if (from === 0 && page.some((link) => hashBeforeSealing(link) !== undefined)) return true;
    const drafts = page.map((link) => trail.draft(link));
    const known = await keys.forSealing(
      teamId,
      drafts.flatMap(({ owners }) => owners),
    );
    await client.rPush(
      sealed,
      drafts.map(({ seal }) => JSON.stringify(seal(known))),
    );
  }
  const end = trail.end(head, now());
  if (end.last) await client.rPush(sealed, JSON.stringify(end.last));
  const reply = await client.eval(replaceTrail, {
    keys: [links, sealed, headKey],
    arguments: [head.hash, String(end.head.position), end.head.hash],
  });
  return reply === 1;
}
