import { randomUUID } from 'node:crypto';
import type { RedisConnection } from './connection.ts';
import type { Leases } from '../storage.ts';

/** KEYS: the lease. ARGV: whose it must be. */
const release = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** Leases over all instances. One that its instance did not give back, since it crashed, ends by itself. */
export function createRedisLeases(client: RedisConnection, prefix: string): Leases {
  const keyOf = (name: string) => `${prefix}:lease:${name}`;
  const held = new Map<string, string>();

  return {
    async take(name, forMs) {
      const token = randomUUID();
      const reply = await client.set(keyOf(name), token, { condition: 'NX', expiration: { type: 'PX', value: forMs } });
      if (reply !== 'OK') return false;
      held.set(name, token);
      return true;
    },
    async release(name) {
      const token = held.get(name);
      held.delete(name);
      if (token !== undefined) await client.eval(release, { keys: [keyOf(name)], arguments: [token] });
    },
  };
}
