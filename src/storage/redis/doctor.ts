import { fault, right, unknown, type Diagnosis } from '../../domain/finding.ts';
import { unusableStore, type StoreReading } from '../checks.ts';
import { schemaVersions, SchemaVersionError } from '../storage.ts';
import { createRedisAudit } from './audit-trail.ts';
import { keyPrefix, withRedis } from './connection.ts';
import { redisKey } from './schema.ts';
import { namesSentinel } from './guarded-connection.ts';
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

/** Checks the settings of Redis with commands that only read. */
export async function diagnoseSettings(url: string): Promise<Diagnosis[]> {
  try {
    return await withRedis(url, async (client) => settingDiagnoses(await client.info()));
  } catch {
    return [unknown('the settings of Redis were not checked')];
  }
}

/** @param info what Redis says of itself, a setting in each line */
function settingDiagnoses(info: string): Diagnosis[] {
  const setting = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const policy = setting('maxmemory_policy');
  const [used, most] = [Number(setting('used_memory')), Number(setting('maxmemory'))];
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  const role = setting('role');
  if (setting('redis_mode') === 'sentinel') return [fault(namesSentinel)];
  return [
    ...(role === undefined || role === 'master'
      ? []
      : [fault('Redis is a replica, which takes no writes: set REDIS_URL to the primary')]),
    policy === undefined
      ? unknown('Redis does not name its maxmemory-policy: it must be noeviction')
      : policy === 'noeviction'
        ? right('Redis keeps every key (maxmemory-policy is noeviction)')
        : fault(
            `Redis deletes keys when its memory is full (maxmemory-policy is ${policy}): set maxmemory-policy to noeviction`,
          ),
    setting('aof_enabled') === '0'
      ? fault('Redis does not keep every write on the disk: set appendonly to yes and appendfsync to always')
      : right('Redis writes to the disk (appendonly)'),
    most === 0
      ? unknown(
          `Redis uses ${megabytes(used)} of memory without a limit: set maxmemory below the memory of its machine`,
        )
      : used > 0.9 * most
        ? fault(`Redis uses ${megabytes(used)} of ${megabytes(most)}: give it more memory`)
        : right(`Redis uses ${megabytes(used)} of ${megabytes(most)}`),
  ];
}
