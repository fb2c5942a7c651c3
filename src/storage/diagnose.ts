import type { Finding } from '../domain/finding.ts';
import { contentFileFor } from './open-storage.ts';

/** Checks the store without changing it: what is there, whether it is whole, and whether there is room. */
export async function diagnoseStore({ dataDir, redisUrl }: { dataDir: string; redisUrl: string | undefined }): Promise<Finding[]> {
  if (redisUrl === undefined) {
    const { diagnoseSqlite } = await import('./sqlite/diagnose.ts');
    return diagnoseSqlite(dataDir);
  }
  const { diagnoseRedis } = await import('./redis/diagnose.ts');
  return diagnoseRedis(redisUrl, contentFileFor(dataDir, redisUrl));
}
