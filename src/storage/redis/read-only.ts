import { unusableStore, type StoreReading } from '../read-only.ts';
import { schemaVersions, SchemaVersionError } from '../schema-version.ts';
import { createRedisAudit } from './audit-trail.ts';
import { keyPrefix, withRedis } from './connection.ts';
import { redisKey } from './schema.ts';
import { usableVersion } from './upgrades.ts';

/**
 * Reads the state in Redis with commands that only read.
 *
 * @param tenant whose bot it is, where several share Redis
 */
export function readRedis(url: string, tenant?: string): StoreReading {
  const prefix = keyPrefix(tenant);
  return {
    well: 'Redis answers',
    async look() {
      try {
        await withRedis(url, async (client) => usableVersion(client, prefix));
        return undefined;
      } catch (error) {
        if (error instanceof SchemaVersionError) return unusableStore(error.code, error.message);
        const reason = error instanceof Error ? error.message : String(error);
        return unusableStore(
          'store_away',
          `Redis cannot be used (${reason}): check REDIS_URL with its password, and that Redis runs`,
        );
      }
    },
    isOlder: async () =>
      withRedis(url, async (client) => ((await usableVersion(client, prefix)) ?? Infinity) < schemaVersions.redis),
    identity: async () =>
      withRedis(url, async (client) => {
        const { id, generation } = await client.hGetAll(redisKey(prefix, 'store'));
        return id === undefined ? undefined : { id, generation: Number(generation) };
      }),
    text: async (namespace, key) =>
      withRedis(
        url,
        async (client) => (await client.get(redisKey(prefix, '<namespace>::<key>', namespace, key))) ?? undefined,
      ),
    trail: async (read) => withRedis(url, async (client) => read(createRedisAudit(client, prefix))),
  };
}
