import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { InvigilatorError } from '../domain/errors.ts';

/** A bot runs that would write into what is erased. */
class StoreInUseError extends InvigilatorError {
  readonly code = 'store_in_use';
}

/**
 * Erases everything that a bot stored: its folder, and its keys in Redis.
 *
 * @param store.tenant whose it is; the keys of a bot that is alone are never erased
 * @returns how much was erased; `keys`: undefined where no Redis is configured
 * @throws {StoreInUseError} where it is known that a bot has it open: in Redis, where the list of clients may be read
 */
export async function eraseStore(store: { dataDir: string; redisUrl: string | undefined; tenant: string }) {
  const { dataDir, redisUrl, tenant } = store;
  const files = existsSync(dataDir) ? filesIn(dataDir) : 0;
  const release = existsSync(dataDir) ? await holdStore(dataDir, tenant) : () => {};
  try {
    const keys = redisUrl === undefined ? undefined : await eraseKeys(redisUrl, tenant);
    if (existsSync(dataDir)) eraseFolder(dataDir);
    return { files, keys };
  } finally {
    release();
  }
}

/** @returns gives it back */
async function holdStore(dataDir: string, tenant: string): Promise<() => void> {
  const { DataDirInUseError, holdFolder, lockDataDir, readPid } = await import('./sqlite/folder.ts');
  let lock: { release(): void } | undefined;
  try {
    lock = lockDataDir(dataDir);
    const hold = await holdFolder(dataDir);
    return () => [hold, lock].forEach((one) => one?.release());
  } catch (error) {
    lock?.release();
    if (!(error instanceof DataDirInUseError)) throw error;
    throw new StoreInUseError(`the bot of ${tenant} runs (process ${readPid(dataDir) ?? 'unknown'}): stop it first`);
  }
}

async function eraseKeys(redisUrl: string, tenant: string): Promise<number> {
  const { keyPrefix, withRedis } = await import('./redis/connection.ts');
  const prefix = keyPrefix(tenant);
  return withRedis(redisUrl, async (client) => {
    const clients = await client.sendCommand<string>(['CLIENT', 'LIST']).catch(() => '');
    if (clients.includes(` name=${prefix} `))
      throw new StoreInUseError(`a bot of ${tenant} is connected to Redis: stop it first`);
    let erased = 0;
    for await (const keys of client.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1_000 }))
      if (keys.length > 0) erased += await client.unlink(keys);
    return erased;
  });
}

function filesIn(dataDir: string): number {
  return readdirSync(realpathSync(dataDir), { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  ).length;
}

/** Also what a link in place of the folder leads to. */
function eraseFolder(dataDir: string): void {
  rmSync(realpathSync(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { force: true });
}
