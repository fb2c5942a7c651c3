import type { SetTimer, SteadyClock } from '../../time/clock.ts';
import { createRarely } from '../../time/timers.ts';
import { oldestWaiting, withRecords, type Storage } from '../records.ts';
import { createContentWatch } from '../passport.ts';
import type { KeyedNamespace } from '../keyed-values.ts';
import { createRedisCleansing } from './cleansing.ts';
import { createRedisAudit } from './audit-trail.ts';
import { keyPrefix, type RedisConnection } from './connection.ts';
import { createGuardedConnection, assertKeepsKeys, identityIn } from './guarded-connection.ts';
import { createRedisInbox, createRedisOutbox } from './outbox.ts';
import { createRedisKv, createRedisLeaseStore } from './values.ts';
import { createRedisQueues } from './queues.ts';
import { redisKey } from './schema.ts';
import { prepareRedis } from './upgrades.ts';

/** Reading what waits takes Redis some milliseconds where there are thousands of queues. */
const waitingReadEveryMs = 30_000;
/** How often a Redis that stays connected is asked whether it deletes keys: somebody would have to change its configuration. */
const policyAskedEveryMs = 60_000;

/**
 * State in Redis, shared by any number of instances. While Redis is away everything fails at once with a
 * {@link StoreAwayError}; it works again by itself.
 *
 * @param options.contentFile where the bot keeps what it knows of the content of Redis; undefined: nowhere
 * @param options.onError called with failures that no caller waits for, such as the run of a queue
 * @returns with `client`, for what else the instances share, such as the request budget
 */
export function createRedisStorage(options: {
  url: string;
  /** Whose bot it is, where several share this Redis. */
  tenant?: string | undefined;
  now: () => number;
  onError: (error: unknown) => void;
  contentFile?: string | undefined;
  steady?: SteadyClock;
  /** For leases and for checks of Redis. */
  setTimer?: SetTimer;
}): Storage & { client: RedisConnection } {
  const { url, now, onError, setTimer } = options;
  const prefix = keyPrefix(options.tenant);
  const isTimeForPolicy = createRarely({ everyMs: policyAskedEveryMs, now });
  let waitingReadAt = -Infinity;
  let oldestWaitingAt = Infinity;

  const content = createContentWatch({
    path: options.contentFile,
    now,
    steady: options.steady,
    onError,
    setTimer,
    settledUntil: readOldestWaiting,
  });
  const guarded = createGuardedConnection({ url, name: prefix, onError, check, setTimer });
  const { client } = guarded;
  const inbox = createRedisInbox(client, prefix);
  const outbox = createRedisOutbox(client, prefix, { now, onError });

  async function check(probe: RedisConnection): Promise<void> {
    // It cannot be used yet after each connection, which may be to another Redis.
    if (isTimeForPolicy() || !guarded.isUsable()) await assertKeepsKeys(probe);
    await prepareRedis({ client: probe, prefix, now });
    await content.look(await identityIn(probe, prefix));
  }

  async function readOldestWaiting(): Promise<number> {
    if (!guarded.isUsable() || Math.abs(now() - waitingReadAt) < waitingReadEveryMs) return oldestWaitingAt;
    waitingReadAt = now();
    return (oldestWaitingAt = await oldestWaiting(outbox));
  }

  const store = {
    kv: <Value>(namespace: KeyedNamespace) => createRedisKv<Value>(client, prefix, namespace),
    inbox,
    outbox,
    queues: createRedisQueues({
      guarded,
      prefix,
      now,
      setTimer,
      onFailure: (queue, error) => onError(new Error(`the queue ${queue} failed`, { cause: error })),
      onError,
    }),
    trail: createRedisAudit(client, prefix),
    cleansing: createRedisCleansing(client, prefix),
    leaseStore: createRedisLeaseStore(client, prefix),
    content,
    open: guarded.open,
    async ping() {
      // A Redis that is full or a replica can still be read.
      await client.set(redisKey(prefix, 'probe'), 'x', { expiration: { type: 'EX', value: 60 } });
    },
    async close() {
      content.close();
      await guarded.close();
    },
  };
  return { ...withRecords(store, setTimer), client };
}
