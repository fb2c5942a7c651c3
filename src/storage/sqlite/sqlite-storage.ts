import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import { steadyClockOf, systemClock, type SteadyClock, type Clock } from '../../time/clock.ts';
import { oldestWaiting, withRecords, type Storage } from '../records.ts';
import { createContentWatch, knownStoreFileName, type StoreIdentity } from '../passport.ts';
import { lockDataDir, lockFileName, restrictDataDir, holdFolder } from './folder.ts';
import { createMemoryQueues } from '../memory-queues.ts';
import { createSqliteCleansing } from './cleansing.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createSqliteInbox, createSqliteOutbox } from './outbox.ts';
import { fileName, openOrElse, openSqliteFile, refuseMovedState, isDamage, StoreDamagedError } from './file.ts';
import { createQueueEntryWriter, createQueueIndex, createUnreadableRows } from './queue-entries.ts';
import type { KeyedNamespace } from '../keyed-values.ts';
import { StoreAwayError, type SealedTrail } from '../storage.ts';
import type { LeaseStore } from '../leases.ts';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emptyChain, nextLink, type ChainHead, type ChainLink } from '../../domain/audit-chain.ts';

/** What a check of the store writes: some pages, since a full disk may still have room for a row. */
const probeLength = 16_384;

/** How long deleted files can go unnoticed in the log while nothing is written, and a backup stays the same as what was accepted after it. */
const filesCheckedEveryMs = 2_000;

/** How often the bot forgets what has expired, and keeps which content the file has also where nothing changes. */
const lookEveryMs = 60_000;

/**
 * Opens or creates the SQLite file that holds the bot's state.
 *
 * @throws {DataDirInUseError} when another process uses the folder
 * @throws {DataDirSharedError} when other users can use the folder and the bot cannot change that
 * @param options.onError called with failures that no caller waits for, such as the run of a queue
 */
export function openSqliteStorage(
  dataDir: string,
  options: Pick<Clock, 'now'> &
    Partial<Pick<Clock, 'setTimer'>> & { onError?: (error: unknown) => void; steady?: SteadyClock },
): Storage {
  const { now, setTimer = systemClock.setTimer, onError = () => {}, steady = steadyClockOf(now) } = options;
  if (restrictDataDir(dataDir))
    onError(
      new Error(`DATA_DIR ${resolve(dataDir)} was open to other users of this machine; now only its owner can read it`),
    );
  const wasUsed = existsSync(join(dataDir, lockFileName));
  const lock = lockDataDir(dataDir);
  const database = openOrElse(lock.release, () => {
    refuseMovedState(dataDir);
    if (wasUsed && !existsSync(join(dataDir, fileName))) {
      onError(
        new Error(`${fileName} is gone from DATA_DIR, which a bot has used before: the bot begins with an empty store`),
      );
    }
    return openSqliteFile(dataDir, now);
  });
  const assertUndamaged = watchDamage(database, onError);
  const probe = database.prepare("INSERT OR REPLACE INTO keyed_values VALUES ('probe', ?, NULL)");
  const clean = database.prepare("DELETE FROM keyed_values WHERE key = 'probe'");
  const assertUsable = watchFiles(dataDir);
  const index = createQueueIndex(database);
  const group = createGroupCommit(database, { assertUsable, onRollBack: index.readAgain });
  const content = createContentWatch({
    path: join(dataDir, knownStoreFileName),
    now,
    steady,
    onError,
    setTimer,
    settledUntil: () => oldestWaiting(outbox),
  });
  const queueEntries = createQueueEntryWriter(database, index);
  const forgetExpired = createForgetExpired(database, group);
  const unreadable = createUnreadableRows(database, group, onError, index.readAgain);
  const outbox = createSqliteOutbox(database, group, { queueEntries, index, unreadable, now });
  const inbox = createSqliteInbox(database, group, { queueEntries, versionOf: outbox.versionNow });
  const readIdentity = createReadIdentity(database);
  let seenCommits = 0;
  let cancelCheck = () => {};
  let cancelLook = () => {};
  let held: { release(): void } | undefined;

  function checkFiles(): void {
    cancelCheck = setTimer(() => {
      try {
        assertUsable();
        if (group.commits() !== seenCommits) look().catch(() => {});
      } catch (error) {
        onError(error);
      }
      checkFiles();
    }, filesCheckedEveryMs);
  }

  /** Rejects where the file cannot be written. */
  const look = async () => {
    await content.look(await group.write(readIdentity));
    seenCommits = group.commits();
  };

  function planLook(): void {
    cancelLook = setTimer(() => {
      look().catch(() => {});
      forgetExpired(steady.now()).catch(() => {});
      planLook();
    }, lookEveryMs);
  }

  const kv = <Value>(namespace: KeyedNamespace) =>
    new Keyv<Value>({
      store: createSqliteKv(database, group, now, { aheadMs: () => now() - steady.now() }),
      namespace,
      throwOnErrors: true,
    });

  const store = {
    kv,
    inbox,
    outbox: {
      ...outbox,
      // It feeds the metrics: figures of a deleted file would look healthy.
      async queues() {
        assertUsable();
        return outbox.queues();
      },
    },
    queues: createMemoryQueues({
      now,
      setTimer,
      onFailure: (queue, error) => onError(new Error(`the queue ${queue} failed`, { cause: error })),
    }),
    trail: createSqliteAudit(database, group),
    cleansing: createSqliteCleansing(database, group),
    leaseStore: createMemoryLeaseStore(now),
    content,
    async open() {
      held = await holdFolder(dataDir);
      checkFiles();
      planLook();
      await look().catch(onError);
      await forgetExpired(steady.now()).catch(onError);
    },
    // A full disk can still be read.
    async ping() {
      assertUndamaged();
      await group.write(() => {
        probe.run('x'.repeat(probeLength));
        clean.run();
      });
    },
    async close() {
      cancelCheck();
      cancelLook();
      group.flush();
      if (held && group.commits() !== seenCommits) await look().catch(() => {});
      content.close();
      database.close();
      held?.release();
      lock.release();
    },
  };
  return withRecords(store, setTimer);
}

/** Reads the identity of the file's content and gives it a new generation. The key has no namespace of Keyv's: it belongs to this file. */
function createReadIdentity(database: DatabaseSync): () => StoreIdentity {
  const select = database.prepare("SELECT value FROM keyed_values WHERE key = 'store'");
  const keep = database.prepare("INSERT OR REPLACE INTO keyed_values VALUES ('store', ?, NULL)");

  return () => {
    const row = select.get();
    const { id, generation } = row
      ? (JSON.parse(String(row['value'])) as StoreIdentity)
      : { id: randomUUID(), generation: 0 };
    const next = { id, generation: generation + 1 };
    keep.run(JSON.stringify(next));
    return next;
  };
}

/** The open database files are no longer the ones in `DATA_DIR`: what is written to them is lost when the process ends. */
class StoreDeletedError extends StoreAwayError {
  override readonly code = 'store_deleted';

  constructor(name: string) {
    super(
      new Error(`${name} was deleted or replaced while the bot runs; stop the bot, restore a backup, and start it`),
    );
  }
}

/** SQLite's own files beside the database (https://www.sqlite.org/walformat.html), and the lock: without it, a second bot can use the folder. */
const names = [fileName, `${fileName}-wal`, `${fileName}-shm`, lockFileName];

/**
 * Compares the database files in `DATA_DIR` with those that the process has open. SQLite itself does not notice: an open
 * file that was deleted can still be read and written. Call after the database was read once, which creates all files.
 *
 * @returns a check that takes some microseconds and throws {@link StoreDeletedError}
 */
function watchFiles(dataDir: string): () => void {
  const opened = names.map((name) => ({ name, path: join(dataDir, name), identity: identityOf(join(dataDir, name)) }));
  return () => {
    const changed = opened.find(({ path, identity }) => identityOf(path) !== identity);
    if (changed !== undefined) throw new StoreDeletedError(changed.name);
  };
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

const methods = ['get', 'all', 'run'] as const;

/**
 * Notices damaged pages where they are used: a check that reads other pages would not find them.
 *
 * @param onDamage called once
 * @returns a check that throws {@link StoreDamagedError} from then on; until then it reads the first and the last rows of every table
 */
function watchDamage(database: DatabaseSync, onDamage: (error: StoreDamagedError) => void): () => void {
  let damage: StoreDamagedError | undefined;

  function note(error: unknown): unknown {
    if (!isDamage(error)) return error;
    const isFirst = damage === undefined;
    damage ??= new StoreDamagedError(error);
    if (isFirst) onDamage(damage);
    return damage;
  }

  function watch<Method extends string>(
    object: Record<Method, (...parameters: never[]) => unknown>,
    method: Method,
  ): void {
    const run = object[method].bind(object);
    object[method] = (...parameters: never[]) => {
      try {
        return run(...parameters);
      } catch (error) {
        throw note(error);
      }
    };
  }

  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    const statement: StatementSync = prepare(sql);
    for (const method of methods) watch(statement, method);
    return statement;
  };
  watch(database, 'exec');

  const tables = prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  // The first column of each key: the last row is read from the end of the table.
  const ends = tables.flatMap((name) =>
    ['ASC', 'DESC'].map((order) => database.prepare(`SELECT * FROM "${name}" ORDER BY 1 ${order} LIMIT 1`)),
  );

  return () => {
    if (damage) throw damage;
    for (const end of ends) end.get();
  };
}

/** Leases of a single process. They end with it, so that a restart finds all of them free. */
export function createMemoryLeaseStore(now: () => number): LeaseStore {
  const leases = new Map<string, { token: string; endsAt: number }>();
  const isHeldBy = (name: string, token: string) =>
    leases.get(name)?.token === token && leases.get(name)!.endsAt > now();

  return {
    async take(name, token, ttlMs) {
      const lease = leases.get(name);
      if (lease !== undefined && lease.endsAt > now()) return false;
      leases.set(name, { token, endsAt: now() + ttlMs });
      return true;
    },
    async renew(name, token, ttlMs) {
      if (!isHeldBy(name, token)) return false;
      leases.set(name, { token, endsAt: now() + ttlMs });
      return true;
    },
    async release(name, token) {
      if (leases.get(name)?.token === token) leases.delete(name);
    },
  };
}

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
function createForgetExpired(database: DatabaseSync, { write }: GroupCommit): (now: number) => Promise<void> {
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

/** The audit trail in the bot's own SQLite file. The head is kept apart, so that a missing end shows. */
export function createSqliteAudit(database: DatabaseSync, { write }: Pick<GroupCommit, 'write'>): SealedTrail {
  const selectHead = database.prepare('SELECT position, hash FROM audit_heads WHERE team_id = ?');
  const insert = database.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)');
  const setHead = database.prepare('INSERT OR REPLACE INTO audit_heads VALUES (?, ?, ?)');
  const selectLatest = database.prepare(
    'SELECT position, text, hash FROM audit WHERE team_id = ? AND position < ? ORDER BY position DESC LIMIT ?',
  );
  const selectSince = database.prepare(
    'SELECT position, text, hash FROM audit WHERE team_id = ? AND position > ? ORDER BY position LIMIT ?',
  );
  const headOf = (teamId: string) => (selectHead.get(teamId) as unknown as ChainHead | undefined) ?? emptyChain;

  return {
    append: (teamId, entry) =>
      write(() => {
        const link = nextLink(headOf(teamId), JSON.stringify(entry));
        insert.run(teamId, link.position, link.text, link.hash);
        setHead.run(teamId, link.position, link.hash);
        return link;
      }),
    async latest(teamId, limit, before = Number.MAX_SAFE_INTEGER) {
      return selectLatest.all(teamId, before, limit) as unknown as ChainLink[];
    },
    async since(teamId, after, limit) {
      return selectSince.all(teamId, after, limit) as unknown as ChainLink[];
    },
    async head(teamId) {
      return headOf(teamId);
    },
  };
}
