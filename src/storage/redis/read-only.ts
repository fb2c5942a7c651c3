import { unusableStore, type StoreReading } from '../read-only.ts';
import { createRedisAudit } from './audit.ts';
import { prefix, withRedis, type RedisConnection } from './connection.ts';
import { redisSchemaVersion, schemaKey } from './schema.ts';

/** Reads the state in Redis with commands that only read. */
export function readRedis(url: string): StoreReading {
  const versionOf = async (client: RedisConnection) => Number((await client.get(schemaKey(prefix))) ?? 0);

  return {
    well: 'Redis answers',
    async look() {
      try {
        return await withRedis(url, async (client) =>
          (await versionOf(client)) > redisSchemaVersion
            ? unusableStore(
                'store_newer',
                'the state in Redis was written by a newer version of the bot: start that one',
              )
            : undefined,
        );
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return unusableStore(
          'store_away',
          `Redis cannot be used (${reason}): check REDIS_URL with its password, and that Redis runs`,
        );
      }
    },
    isOlder: async () =>
      withRedis(
        url,
        async (client) =>
          (await versionOf(client)) < redisSchemaVersion && (await client.exists(`${prefix}:store`)) === 1,
      ),
    identity: async () =>
      withRedis(url, async (client) => {
        const { id, generation } = await client.hGetAll(`${prefix}:store`);
        return id === undefined ? undefined : { id, generation: Number(generation) };
      }),
    text: async (namespace, key) =>
      withRedis(url, async (client) => (await client.get(`${prefix}:${namespace}::${key}`)) ?? undefined),
    trail: async (read) => withRedis(url, async (client) => read(createRedisAudit(client, prefix))),
  };
}
