import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import type { RedisConnection } from './connection.ts';

/** Keyed values of a name space in Redis, for all instances. */
export function createRedisKv<Value>(client: RedisConnection, prefix: string, namespace: string): Keyv<Value> {
  const store = new KeyvRedis<Value>(client, { throwOnConnectError: true, throwOnErrors: true });
  return new Keyv<Value>({ store, namespace: `${prefix}:${namespace}`, useKeyPrefix: false, throwOnErrors: true });
}
