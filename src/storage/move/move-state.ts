import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyState, type CopiedState } from './copy-state.ts';
import { lockDataDir } from '../sqlite/folder.ts';
import { keyPrefix, withRedis, type RedisConnection } from '../redis/connection.ts';
import { fileName, movedFileName, openSqliteFile } from '../sqlite/file.ts';

/** What is copied stands here until all of it does. */
const prefix = keyPrefix();
const stagingPrefix = `${prefix}-move`;
/** Stands there once all of it does. */
const completeKey = `${stagingPrefix}:complete`;
const unlinkedAtOnce = 500;

/** KEYS: the key to delete, then the keys to rename. ARGV: their new names. A key may have expired by now. */
const renameAll = `
redis.call('DEL', KEYS[1])
for n = 2, #KEYS do
  if redis.call('EXISTS', KEYS[n]) == 1 then redis.call('RENAME', KEYS[n], ARGV[n - 1]) end
end`;

interface MovedState {
  /** Undefined where a move that had broken off at its very end was finished. */
  copied: CopiedState | undefined;
  /** What the file is called now. */
  path: string;
}

/**
 * Moves the whole state from SQLite to Redis, or nothing. It copies to temporary keys first and renames them in one
 * step. An interrupted move leaves no keys that a bot would read, and can be repeated.
 *
 * @throws with a message for the operator; then nothing was moved
 */
export async function moveState(options: {
  dataDir: string;
  redisUrl: string;
  now: () => number;
}): Promise<MovedState> {
  const { dataDir, redisUrl, now } = options;
  const [file, moved] = [join(resolve(dataDir), fileName), join(resolve(dataDir), movedFileName)];
  if (!existsSync(file) && !existsSync(moved))
    throw new Error(`there is no ${fileName} in DATA_DIR ${resolve(dataDir)}`);
  const lock = lockDataDir(dataDir);
  try {
    return await withRedis(redisUrl, async (client) => {
      if (!existsSync(file)) {
        if ((await client.exists(completeKey)) === 0)
          throw new Error(
            `the state in DATA_DIR ${resolve(dataDir)} was moved already: it is kept as ${movedFileName}`,
          );
        await refuseOtherState(client);
        await nameAll(client);
        return { copied: undefined, path: moved };
      }
      if (existsSync(moved)) throw new Error(`${moved} is there from an earlier move: put it somewhere else first`);
      await refuseOtherState(client);
      await forgetStaged(client);
      const copied = await copyFile({ client, dataDir, now });
      await refuseOtherState(client);
      renameSync(file, moved);
      try {
        await nameAll(client);
      } catch (error) {
        // Whether it was done after all, who starts next finds out.
        if (await isStaged(client)) renameSync(moved, file);
        throw error;
      }
      return { copied, path: moved };
    });
  } finally {
    lock.release();
  }
}

async function copyFile(options: {
  client: RedisConnection;
  dataDir: string;
  now: () => number;
}): Promise<CopiedState> {
  const { client, dataDir, now } = options;
  const database = openSqliteFile(dataDir, now);
  try {
    const copied = await copyState({ database, client, prefix: stagingPrefix, now });
    await client.set(completeKey, '1');
    // The file is kept under another name: all of it has to stand in it, and nothing in the log beside it.
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (checkpoint?.['busy'] !== 0) throw new Error(`another program reads ${fileName}: move when it has ended`);
    return copied;
  } finally {
    database.close();
  }
}

async function keysOf(client: RedisConnection, beginning: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: `${beginning}:*`, COUNT: 1_000 }))
    for (const key of keys) found.add(key);
  return [...found];
}

async function refuseOtherState(client: RedisConnection): Promise<void> {
  const { length } = await keysOf(client, prefix);
  if (length > 0)
    throw new Error(
      `Redis has state of a bot already (${length} keys that begin with ${prefix}:): move to an empty Redis, or to another database of it (redis://…/1)`,
    );
}

async function forgetStaged(client: RedisConnection): Promise<void> {
  const keys = await keysOf(client, stagingPrefix);
  for (let n = 0; n < keys.length; n += unlinkedAtOnce) await client.unlink(keys.slice(n, n + unlinkedAtOnce));
}

async function isStaged(client: RedisConnection): Promise<boolean> {
  return client.exists(completeKey).then(
    (count) => count === 1,
    () => false,
  );
}

/** Renames the copied keys to their final names, in one step. */
async function nameAll(client: RedisConnection): Promise<void> {
  const staged = (await keysOf(client, stagingPrefix)).filter((key) => key !== completeKey);
  await client.eval(renameAll, {
    keys: [completeKey, ...staged],
    arguments: staged.map((key) => prefix + key.slice(stagingPrefix.length)),
  });
}
