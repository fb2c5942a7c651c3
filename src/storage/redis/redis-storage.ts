import { sleep, type SetTimer } from '../../time/clock.ts';
import { anchorTrail } from '../anchored-trail.ts';
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
import { NewerSchemaError, prepareRedis } from './schema.ts';
import type { Storage } from '../storage.ts';

const prepareAgainMs = 1_000;

/**
 * State in Redis, shared by any number of instances. While Redis is away everything fails at once with a
 * {@link StoreAwayError}; it works again by itself.
 *
 * @param options.onError called with failures that no caller waits for, such as the run of a queue
 * @returns with `client`, for what else the instances share, such as the request budget
 */
export function createRedisStorage(options: {
  url: string;
  now: () => number;
  onError: (error: unknown) => void;
  setTimer?: SetTimer;
}): Storage & { client: RedisConnection } {
  const { url, now, onError, setTimer } = options;
  let whyNotReady: unknown = new Error('the version of its state is not checked yet');
  const client = createFailFastConnection(url, () => whyNotReady);
  client.on('error', onError);
  let preparing: Promise<void> | undefined;
  // After an outage, Redis may be empty or hold other state.
  client.on('ready', () => {
    preparing = prepare();
    preparing.catch(onError);
  });

  /** @throws {NewerSchemaError} */
  async function prepare(): Promise<void> {
    whyNotReady = new Error('its state is being checked or upgraded');
    // Where that fails although Redis is there, no event of the connection leads to another try.
    for (; client.isReady; await sleep(prepareAgainMs)) {
      const own = createFailFastConnection(url).on('error', () => {});
      try {
        await own.connect();
        await prepareRedis(own, prefix);
        whyNotReady = undefined;
        return;
      } catch (error) {
        whyNotReady = error;
        if (error instanceof NewerSchemaError) throw error;
        onError(error);
      } finally {
        own.destroy();
      }
    }
  }

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
      onFailure: (queue, error) => onError(new Error(`the queue ${queue} failed`, { cause: error })),
      onError,
    }),
    subscriptions: createRedisSubscriptions(client, prefix),
    counters: createRedisCounters(client, prefix),
    approvals: createRedisApprovals(client, prefix),
    audit: anchorTrail(createRedisAudit(client, prefix), createRedisKv(client, prefix, 'audit-anchors')),
    leases: createLeases(createRedisLeaseStore(client, prefix), setTimer),
    async open() {
      const failed = new Promise<void>((resolve) => client.once('error', () => resolve()));
      await Promise.race([client.connect(), failed]);
      try {
        await preparing;
      } catch (error) {
        client.destroy();
        throw error;
      }
    },
    // A Redis that is full or a replica can still be read.
    ping: async () => void (await client.set(`${prefix}:probe`, 'x', { expiration: { type: 'EX', value: 60 } })),
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}
