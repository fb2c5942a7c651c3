import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import type { StoredText } from '../../domain/erasure.ts';
import type { Cleansing, Rewrite } from '../storage.ts';

/** KEYS: a keyed value. ARGV: what it must be, what it becomes; without that, it is deleted. */
const replaceText = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == nil then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1`;

/** KEYS: a hash. ARGV: field, what it must be, what it becomes, likewise. A state gets another version. */
const replaceField = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[3] == nil then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if redis.call('HEXISTS', KEYS[1], 'version') == 1 then redis.call('HINCRBY', KEYS[1], 'version', 1) end
return 1`;

function isForbidden(error: unknown): boolean {
  const { message, cause } = error as Error;
  return /^(?:NOPERM|ERR unknown command)/.test(cause instanceof Error ? cause.message : message);
}

const listOf = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

const lookAgainMs = 50;

/** Takes texts out of Redis. */
export function createRedisCleansing(client: RedisConnection, prefix: string): Cleansing {
  const [values, entries, states] = [
    new RegExp(`^${RegExp.escape(prefix)}:([a-z-]+)::(.*)$`, 's'),
    redisKey(prefix, '{alerts}:entries:<queue>', ''),
    redisKey(prefix, '{alerts}:state:<queue>', ''),
  ];
  const hashes: Readonly<Record<string, StoredText>> = {
    [redisKey(prefix, '{alerts}:unreadable')]: { in: 'value', key: 'unreadable:' },
  };

  /** What a field of a hash holds; undefined for what no text with people is in. */
  function placeOf(key: string, field: string): StoredText | undefined {
    if (key.startsWith(entries)) return { in: 'entry', key: key.slice(entries.length) };
    const queue = key.slice(states.length);
    if (key.startsWith(states))
      return field === 'state'
        ? { in: 'state', key: queue }
        : field.startsWith('part:')
          ? { in: 'part', key: queue }
          : undefined;
    return hashes[key];
  }

  async function rewriteString(key: string, rewrite: Rewrite): Promise<number> {
    const [, namespace, id] = values.exec(key) ?? [];
    const text = namespace === undefined ? null : await client.get(key);
    if (text === null) return 0;
    const rewritten = rewrite({ in: 'value', key: `${namespace}:${id}` }, text);
    if (rewritten === text) return 0;
    return Number(await client.eval(replaceText, { keys: [key], arguments: [text, ...listOf(rewritten)] }));
  }

  async function rewriteHash(key: string, rewrite: Rewrite): Promise<number> {
    let replaced = 0;
    for await (const fields of client.hScanIterator(key))
      for (const { field, value } of fields) {
        const place = placeOf(key, field);
        const rewritten = place === undefined ? value : rewrite(place, value);
        if (rewritten === value) continue;
        replaced += Number(
          await client.eval(replaceField, { keys: [key], arguments: [field, value, ...listOf(rewritten)] }),
        );
      }
    return replaced;
  }

  /** Waits until Redis has written its file anew. */
  async function untilWritten(isRunning: RegExp): Promise<void> {
    while (isRunning.test(await client.info('persistence'))) await sleep(lookAgainMs);
  }

  return {
    async rewrite(rewrite) {
      let replaced = 0;
      for await (const keys of client.scanIterator({ MATCH: `${prefix}:*`, COUNT: 100 }))
        for (const key of keys) {
          const type = await client.type(key);
          if (type === 'string') replaced += await rewriteString(key, rewrite);
          else if (type === 'hash') replaced += await rewriteHash(key, rewrite);
        }
      return replaced;
    },
    async compact() {
      try {
        if (/^aof_enabled:1/m.test(await client.info('persistence'))) {
          await untilWritten(/^aof_rewrite_in_progress:1/m);
          await client.sendCommand(['BGREWRITEAOF']);
          await untilWritten(/^aof_rewrite_(?:in_progress|scheduled):1/m);
        }
        const { save = '' } = await client.configGet('save');
        if (save !== '') {
          await untilWritten(/^rdb_bgsave_in_progress:1/m);
          await client.sendCommand(['BGSAVE']);
          await untilWritten(/^rdb_bgsave_in_progress:1/m);
        }
        return true;
      } catch (error) {
        // Services that run Redis for others often forbid this.
        if (isForbidden(error)) return false;
        throw error;
      }
    },
  };
}
