import { createHash } from 'node:crypto';
import { ErrorReply } from '@redis/client';
import type { RedisConnection } from './connection.ts';

type Run = (client: RedisConnection, parameters: { keys: string[]; arguments: string[] }) => Promise<unknown>;

/** A script for frequent use: its text is sent only if Redis has not cached it, for example after a restart. */
export function createScript(text: string): Run {
  const sha1 = createHash('sha1').update(text).digest('hex');
  return async (client, parameters) => {
    try {
      return await client.evalSha(sha1, parameters);
    } catch (error) {
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return client.eval(text, parameters);
    }
  };
}

/**
 * Lets a script write in a Redis that has reached `maxmemory`, for steps that free memory and for what is bounded. Redis
 * refuses the first command of a script that needs memory, and none after a command that has written, such as this one.
 * The flag `allow-oom` of Redis 7 is turned down, since older versions and scripts of BullMQ do not have it.
 */
export function evenWhenFull(script: string): string {
  return `redis.call('DEL', KEYS[1] .. ':none')\n${script}`;
}

/** Splits the flat list that a script returns. */
export function chunksOf<Value>(list: readonly Value[], size: number): Value[][] {
  return Array.from({ length: list.length / size }, (_, n) => list.slice(n * size, (n + 1) * size));
}
