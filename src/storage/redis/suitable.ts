import { randomUUID } from 'node:crypto';
import { InvigilatorError } from '../../domain/errors.ts';
import type { StoreIdentity } from '../passport.ts';
import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import { evenWhenFull } from './script.ts';

/** A person has to change Redis, or the bot, before the bot can use it. */
export class UnsuitableRedisError extends InvigilatorError {
  readonly code: string = 'unsuitable_redis';
}

/** Redis deletes keys when its memory is full: webhooks that got a 200, subscriptions and the audit trail would be gone. */
class EvictingRedisError extends UnsuitableRedisError {
  override readonly code = 'redis_evicts_keys';

  constructor(policy: string) {
    super(
      `Redis deletes keys when its memory is full (maxmemory-policy is ${policy}): set maxmemory-policy to noeviction`,
    );
  }
}

export const namesSentinel =
  'REDIS_URL is the address of a Redis Sentinel: set the address of a proxy that follows the primary, such as HAProxy';

/** A Sentinel knows where Redis is, and keeps nothing itself. */
class SentinelError extends UnsuitableRedisError {
  override readonly code = 'redis_is_sentinel';

  constructor() {
    super(namesSentinel);
  }
}

/** @throws {UnsuitableRedisError} where Redis may delete keys by itself, or is none */
export async function assertKeepsKeys(client: RedisConnection): Promise<void> {
  // Hosted services often refuse CONFIG GET and answer INFO.
  const policy = /^maxmemory_policy:(\S+)/m.exec(await client.info('memory'))?.[1];
  if (policy === undefined && /^redis_mode:sentinel\b/m.test(await client.info('server'))) throw new SentinelError();
  if (policy !== undefined && policy !== 'noeviction') throw new EvictingRedisError(policy);
}

/** KEYS: the identity. ARGV: its id where it has none. Gives its id and its next generation. */
const readIdentity = evenWhenFull(`
local generation, id = redis.call('HINCRBY', KEYS[1], 'generation', 1), redis.call('HGET', KEYS[1], 'id')
if id then return {id, generation} end
redis.call('HSET', KEYS[1], 'id', ARGV[1])
return {ARGV[1], generation}`);

/** The identity of what Redis holds under the prefix, with a new generation. */
export async function identityIn(client: RedisConnection, prefix: string): Promise<StoreIdentity> {
  const [id, generation] = (await client.eval(readIdentity, {
    keys: [redisKey(prefix, 'store')],
    arguments: [randomUUID()],
  })) as [string, number];
  return { id, generation };
}
