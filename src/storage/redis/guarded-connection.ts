import { systemClock, type SetTimer } from '../../time/clock.ts';
import { pauseMsAfter } from '../memory-queues.ts';
import { SchemaVersionError, StoreAwayError } from '../storage.ts';
import { createFailFastConnection, evenWhenFull, type RedisConnection } from './connection.ts';
import { randomUUID } from 'node:crypto';
import { InvigilatorError } from '../../domain/errors.ts';
import type { StoreIdentity } from '../passport.ts';
import { redisKey } from './schema.ts';

const checkedEveryMs = 5_000;
/** A bot starts without a Redis that does not answer for this long. */
const openingMs = 5_000;

export type GuardedConnection = ReturnType<typeof createGuardedConnection>;

/**
 * A connection that can be used while `check` holds. Runs `check` after each connection, since Redis may be empty then or hold other state, and every 5 seconds. While it
 * fails, commands of the client fail with {@link StoreAwayError}, and it is repeated after a growing pause.
 *
 * @param options.check uses a connection of its own
 */
export function createGuardedConnection(options: {
  url: string;
  /** What others see in the list of clients. */
  name: string;
  check: (probe: RedisConnection) => Promise<void>;
  onError: (error: unknown) => void;
  setTimer?: SetTimer | undefined;
}) {
  const { url, check, onError, setTimer = systemClock.setTimer } = options;
  const callbacks = new Set<() => void>();
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {});
  let whyNotReady: unknown = new StoreAwayError('it has not been checked yet');
  let isChecking = false;
  let isOutdated = false;
  let isClosed = false;
  let failures = 0;
  let cancelNext = () => {};

  const client = createFailFastConnection(url, () => whyNotReady);
  const probe = createFailFastConnection(url);
  client.on('error', (error: unknown) => {
    onError(error);
    opened.resolve();
  });
  client.on('ready', () => {
    whyNotReady = new StoreAwayError('it is being checked or upgraded');
    void checkNow();
  });
  probe.on('error', () => {});
  probe.on('ready', () => {
    // Who may not name itself is not known to run.
    probe.sendCommand(['CLIENT', 'SETNAME', options.name]).catch(() => {});
    void checkNow();
  });

  async function checkNow(): Promise<void> {
    if (isChecking) {
      isOutdated = true;
      return;
    }
    if (!client.isReady || !probe.isReady || isClosed) return;
    isChecking = true;
    cancelNext();
    do {
      isOutdated = false;
      await checkOnce();
    } while (isOutdated);
    isChecking = false;
    if (!isClosed)
      cancelNext = setTimer(() => void checkNow(), failures === 0 ? checkedEveryMs : pauseMsAfter(failures));
  }

  async function checkOnce(): Promise<void> {
    try {
      await check(probe);
      failures = 0;
      const wasReady = whyNotReady === undefined;
      whyNotReady = undefined;
      if (!wasReady) for (const callback of callbacks) callback();
      opened.resolve();
    } catch (error) {
      // What Redis did not answer in time says nothing about its content.
      if (isClosed) return;
      whyNotReady = error;
      failures += 1;
      if (error instanceof UnsuitableRedisError || error instanceof SchemaVersionError) opened.reject(error);
      onError(error);
      opened.resolve();
    }
  }

  async function end(connection: RedisConnection): Promise<void> {
    if (connection.isReady) await connection.close().catch(() => connection.destroy());
    else if (connection.isOpen) connection.destroy();
  }

  return {
    client,
    /**
     * Resolves when Redis can be used, is away, or has not answered for 5 s.
     * @throws {UnsuitableRedisError}
     * @throws {SchemaVersionError}
     */
    async open(): Promise<void> {
      for (const connection of [client, probe]) connection.connect().catch(() => {});
      const cancel = setTimer(() => {
        onError(new Error('Redis does not answer: the bot starts without it, and uses it as soon as it answers'));
        opened.resolve();
      }, openingMs);
      try {
        await opened.promise;
      } catch (error) {
        isClosed = true;
        cancelNext();
        client.destroy();
        probe.destroy();
        throw error;
      } finally {
        cancel();
      }
    },
    isUsable: () => whyNotReady === undefined && client.isReady,
    /** Calls back each time that Redis can be used again. @returns ends that */
    onUsable(callback: () => void): () => void {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    async close(): Promise<void> {
      isClosed = true;
      cancelNext();
      await Promise.all([end(probe), end(client)]);
    },
  };
}

/** A person has to change Redis, or the bot, before the bot can use it. */
class UnsuitableRedisError extends InvigilatorError {
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
