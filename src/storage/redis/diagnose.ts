import { fault, right, unknown, type Diagnosis } from '../../domain/diagnosis.ts';
import { withRedis } from './connection.ts';
import { namesSentinel } from './suitable.ts';

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
