import KeyvRedis from '@keyv/redis';
import { createClient } from '@redis/client';
import { Keyv } from 'keyv';
import { createRedisApprovals } from './redis-approvals.ts';
import { createRedisAudit } from './redis-audit.ts';
import { createRedisInbox } from './redis-inbox.ts';
import { createRedisLeases } from './redis-leases.ts';
import type { Storage } from './storage.ts';

export type RedisConnection = ReturnType<typeof connectionTo>;

/** Every key of the bot begins with this. */
const prefix = 'invigilator';
const longestReconnectMs = 2_000;

/** State in Redis, shared by any number of instances. `client` serves whatever else is shared, such as the request budget. */
export function createRedisStorage(options: {
  url: string;
  onError: (error: unknown) => void;
}): Storage & { client: RedisConnection } {
  const client = connectionTo(options.url);
  client.on('error', options.onError);

  return {
    client,
    keyed<Value>(namespace: string) {
      const store = new KeyvRedis<Value>(client, { throwOnConnectError: true, throwOnErrors: true });
      return new Keyv<Value>({ store, namespace: `${prefix}:${namespace}`, useKeyPrefix: false, throwOnErrors: true });
    },
    inbox: createRedisInbox(client, prefix),
    approvals: createRedisApprovals(client, prefix),
    audit: createRedisAudit(client, prefix),
    leases: createRedisLeases(client, prefix),
    async open() {
      const failed = new Promise<void>((resolve) => client.once('error', () => resolve()));
      await Promise.race([client.connect(), failed]);
    },
    ping: async () => void (await client.ping()),
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}

/** Commands fail at once while Redis is away, instead of waiting for it with a person in front of them. */
function connectionTo(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 5_000, reconnectStrategy: (attempts: number) => Math.min(longestReconnectMs, 50 * 2 ** attempts) },
  });
}
