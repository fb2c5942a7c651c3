import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import type { RedisConnection } from './connection.ts';
import type { LeaseStore } from '../leases.ts';
import { redisKey } from './schema.ts';

/** Keyed values of a name space in Redis, for all instances. */
export function createRedisKv<Value>(client: RedisConnection, prefix: string, namespace: string): Keyv<Value> {
  const store = new KeyvRedis<Value>(client, { throwOnConnectError: true, throwOnErrors: true });
  return new Keyv<Value>({ store, namespace: `${prefix}:${namespace}`, useKeyPrefix: false, throwOnErrors: true });
}

// KEYS of each script: the lease. ARGV: the token it must have, and its new time to live.
const renew = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end`;
const release = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** Leases over all instances. A lease whose instance crashed expires by itself. */
export function createRedisLeaseStore(client: RedisConnection, prefix: string): LeaseStore {
  const keyOf = (name: string) => redisKey(prefix, 'lease:<name>', name);

  return {
    async take(name, token, ttlMs) {
      return (
        (await client.set(keyOf(name), token, { condition: 'NX', expiration: { type: 'PX', value: ttlMs } })) === 'OK'
      );
    },
    async renew(name, token, ttlMs) {
      return (await client.eval(renew, { keys: [keyOf(name)], arguments: [token, String(ttlMs)] })) === 1;
    },
    async release(name, token) {
      await client.eval(release, { keys: [keyOf(name)], arguments: [token] });
    },
  };
}
