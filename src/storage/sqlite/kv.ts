import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyvStoreAdapter } from 'keyv';
import type { GroupCommit } from './group-commit.ts';

/** How many expired values a transaction forgets: a list to import can have a thousand pages. */
const forgottenAtOnce = 20;

/**
 * A Keyv store in the bot's SQLite file. Keyv sets its namespace.
 * @param how.aheadMs by how much the clock is ahead of the time that may be true; values do not expire because of it
 */
export function createSqliteKv(
  database: DatabaseSync,
  { write }: Pick<GroupCommit, 'write'>,
  now: () => number,
  { aheadMs = () => 0 }: { aheadMs?: () => number } = {},
): KeyvStoreAdapter {
  const select = database.prepare('SELECT value FROM keyed_values WHERE key = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO keyed_values VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM keyed_values WHERE key = ?');
  const removeAll = database.prepare("DELETE FROM keyed_values WHERE substr(key, 1, length(?1) + 1) = ?1 || ':'");

  return {
    opts: {},
    async get(key: string) {
      const value = select.get(key)?.['value'];
      return (typeof value === 'string' ? extended(value, aheadMs()) : undefined) as never;
    },
    set: (key: string, value: string, ttlMs?: number) =>
      write(() => void upsert.run(key, value, ttlMs === undefined ? null : now() + ttlMs)),
    delete: (key: string) => write(() => remove.run(key).changes > 0),
    clear() {
      const { namespace = '' } = this;
      return write(() => void removeAll.run(namespace));
    },
    // Keyv listens for errors of stores with a connection; here they are thrown where they happen.
    on() {
      return this;
    },
  };
}

/** A value as Keyv writes it, which expires later. Keyv deletes what has expired by the clock of the machine. */
function extended(value: string, byMs: number): string {
  if (byMs <= 0) return value;
  const { expires, ...others } = JSON.parse(value) as { expires?: number | null };
  return JSON.stringify({ ...others, ...(typeof expires === 'number' && { expires: expires + byMs }) });
}

/** @returns forgets the values that have expired by a time (milliseconds since the epoch), with other work in between */
export function createForgetExpired(database: DatabaseSync, { write }: GroupCommit): (now: number) => Promise<void> {
  const findOne = database.prepare('SELECT 1 FROM keyed_values WHERE expires_at < ? LIMIT 1');
  const forget = database.prepare(
    `DELETE FROM keyed_values WHERE key IN (SELECT key FROM keyed_values WHERE expires_at < ? LIMIT ${forgottenAtOnce})`,
  );
  return async (now) => {
    while (findOne.get(now) !== undefined) {
      await write(() => void forget.run(now));
      await nextTurn();
    }
  };
}
