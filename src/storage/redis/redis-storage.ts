import type { SetTimer } from '../../time/clock.ts';
import { createRedisApprovals } from './approvals.ts';
import { createRedisAudit } from './audit.ts';
import { createFailFastConnection, createQueueingConnection, prefix, type RedisConnection } from './connection.ts';
import { createRedisInbox } from './inbox.ts';
import { createRedisKv } from './kv.ts';
import { createRedisQueues } from './queues.ts';
import { createRedisLeaseStore } from './lease-store.ts';
import { createRedisOutbox } from './outbox.ts';
import { createRedisSubscriptions } from './subscriptions.ts';
import { createRedisCounters } from './counters.ts';
import { createLeases } from '../leases.ts';
import type { Storage } from '../storage.ts';

/**
 * State in Redis, shared by any number of instances. While Redis is away everything fails at once with a
 * {@link StoreAwayError}; it works again by itself.
 *
 * @param options.onError hears of what fails where nobody waits for it, such as the run of a queue
 * @returns with it `client`, for whatever else is shared, such as the request budget
 */
export function createRedisStorage(options: {
  url: string;
  now: () => number;
  onError: (error: unknown) => void;
  setTimer?: SetTimer;
}): Storage & { client: RedisConnection } {
  const { url, now, onError, setTimer } = options;
  const client = createFailFastConnection(url);
  client.on('error', onError);
  // Every Keyv listens to it.
  client.setMaxListeners(50);

  return {
    client,
    kv: (namespace) => createRedisKv(client, prefix, namespace),
    inbox: createRedisInbox(client, prefix),
    outbox: createRedisOutbox(client, prefix),
    queues: createRedisQueues({
      client,
      queueingClient: createQueueingConnection(url),
      prefix,
      now,
      onFailure: (queue, error) => onError(new Error(`the lane ${queue} failed`, { cause: error })),
      onError,
    }),
    subscriptions: createRedisSubscriptions(client, prefix),
    counters: createRedisCounters(client, prefix),
    approvals: createRedisApprovals(client, prefix),
    audit: createRedisAudit(client, prefix),
    leases: createLeases(createRedisLeaseStore(client, prefix), setTimer),
    async open() {
      const failed = new Promise<void>((resolve) => client.once('error', () => resolve()));
      await Promise.race([client.connect(), failed]);
    },
    // A Redis that is out of memory, or only a copy, can still be read.
    ping: async () => void (await client.set(`${prefix}:probe`, 'x', { expiration: { type: 'EX', value: 60 } })),
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}
