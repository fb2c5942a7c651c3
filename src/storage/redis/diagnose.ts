import { fault, right, unknown, type Finding } from '../../domain/finding.ts';
import { contentFinding } from '../known-content.ts';
import { schemaVersion, SchemaVersionError } from '../schema-version.ts';
import { prefix, withRedis, type RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';
import { usableVersion } from './upgrades.ts';

/** Checks Redis with commands that only read. */
export async function diagnoseRedis(url: string, contentFile: string): Promise<Finding[]> {
  try {
    return await withRedis(url, async (client) => [
      await versionFinding(client),
      ...settingFindings(await client.info()),
      await identityFinding(client, contentFile),
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [fault(`Redis cannot be used (${reason}): check REDIS_URL with its password, and that Redis runs`)];
  }
}

/** Reads the text of a keyed value; undefined where there is none, or Redis cannot be used. */
export async function readRedisText(url: string, key: string): Promise<string | undefined> {
  try {
    return (await withRedis(url, async (client) => client.get(`${prefix}:${key}`))) ?? undefined;
  } catch {
    return undefined;
  }
}

async function versionFinding(client: RedisConnection): Promise<Finding> {
  try {
    const version = await usableVersion(client, prefix);
    return right(
      version === undefined || version === schemaVersion
        ? 'Redis answers'
        : 'Redis answers; its state is of an older version: the bot upgrades it at the start, so make a backup first',
    );
  } catch (error) {
    if (error instanceof SchemaVersionError) return fault(error.message);
    throw error;
  }
}

/** @param info what Redis says of itself, a setting in each line */
function settingFindings(info: string): Finding[] {
  const setting = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const policy = setting('maxmemory_policy');
  const [used, most] = [Number(setting('used_memory')), Number(setting('maxmemory'))];
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  const role = setting('role');
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

async function identityFinding(client: RedisConnection, contentFile: string): Promise<Finding> {
  const { id, generation } = await client.hGetAll(redisKey(prefix, 'store'));
  return contentFinding(contentFile, id === undefined ? undefined : { id, generation: Number(generation) });
}
