import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import type { Cleansing } from '../storage.ts';

/** KEYS: a keyed value. ARGV: what it must be, what it becomes. */
const replaceText = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1`;

/** KEYS: a hash. ARGV: field, what it must be, what it becomes. A state, and a request for approval, get another version. */
const replaceField = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if redis.call('HEXISTS', KEYS[1], 'version') == 1 then redis.call('HINCRBY', KEYS[1], 'version', 1) end
return 1`;

function isForbidden(error: unknown): boolean {
  const { message, cause } = error as Error;
  return /^(?:NOPERM|ERR unknown command)/.test(cause instanceof Error ? cause.message : message);
}

const lookAgainMs = 50;

/** Takes texts out of Redis. */
export function createRedisCleansing(client: RedisConnection, prefix: string): Cleansing {
  const kept = [
    redisKey(prefix, '{audit:<team>}:links', '').replace('}:links', ''),
    redisKey(prefix, '{alerts}:state:<queue>', 'key/'),
    redisKey(prefix, '{alerts}:state:<queue>', 'erasing/'),
    redisKey(prefix, 'queues:<any>', ''),
  ];

  async function rewriteString(key: string, rewrite: (text: string) => string): Promise<number> {
    const text = await client.get(key);
    const rewritten = text === null ? null : rewrite(text);
    if (text === null || rewritten === null || rewritten === text) return 0;
    return Number(await client.eval(replaceText, { keys: [key], arguments: [text, rewritten] }));
  }

  async function rewriteHash(key: string, rewrite: (text: string) => string): Promise<number> {
    let replaced = 0;
    for await (const fields of client.hScanIterator(key))
      for (const { field, value } of fields) {
        const rewritten = rewrite(value);
        if (rewritten === value) continue;
        replaced += Number(await client.eval(replaceField, { keys: [key], arguments: [field, value, rewritten] }));
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
          if (kept.some((beginning) => key.startsWith(beginning))) continue;
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
