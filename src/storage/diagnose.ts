import type { Finding } from '../domain/finding.ts';
import type { KeyedNamespace } from './keyed-values.ts';
import { contentFileFor } from './open-storage.ts';

/** Checks the store without changing it: what is there, whether it is whole, and whether there is room. */
export async function diagnoseStore({
  dataDir,
  redisUrl,
}: {
  dataDir: string;
  redisUrl: string | undefined;
}): Promise<Finding[]> {
  if (redisUrl === undefined) {
    const { diagnoseSqlite } = await import('./sqlite/diagnose.ts');
    return diagnoseSqlite(dataDir);
  }
  const { diagnoseRedis } = await import('./redis/diagnose.ts');
  return diagnoseRedis(redisUrl, contentFileFor(dataDir, redisUrl));
}

/**
 * Reads a keyed value without opening the store for writing.
 * @returns undefined where there is none, or the store cannot be read
 */
export async function readKept<Value>(
  { dataDir, redisUrl }: { dataDir: string; redisUrl: string | undefined },
  namespace: KeyedNamespace,
  key: string,
): Promise<Value | undefined> {
  const text =
    redisUrl === undefined
      ? await import('./sqlite/diagnose.ts').then(({ readSqliteText }) =>
          readSqliteText(dataDir, `${namespace}:${key}`),
        )
      : await import('./redis/diagnose.ts').then(({ readRedisText }) =>
          readRedisText(redisUrl, `${namespace}::${key}`),
        );
  // As Keyv writes it.
  return text === undefined ? undefined : (JSON.parse(text) as { value: Value }).value;
}
