import { rmSync } from 'node:fs';

/**
 * Erases everything that a bot stored: its folder, and its keys in Redis. No process may have it open.
 *
 * @param store.tenant whose it is; the keys of a bot that is alone are never erased
 */
export async function eraseStore(store: {
  dataDir: string;
  redisUrl: string | undefined;
  tenant: string;
}): Promise<void> {
  if (store.redisUrl !== undefined) {
    const { keyPrefix, withRedis } = await import('./redis/connection.ts');
    await withRedis(store.redisUrl, async (client) => {
      for await (const keys of client.scanIterator({ MATCH: `${keyPrefix(store.tenant)}:*`, COUNT: 1_000 }))
        if (keys.length > 0) await client.unlink(keys);
    });
  }
  rmSync(store.dataDir, { recursive: true, force: true });
}
