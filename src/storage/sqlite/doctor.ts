import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { fault, right, unknown, type Diagnosis, type Finding } from '../../domain/finding.ts';
import { unusableStore, type StoreReading } from '../checks.ts';
import type { StoreIdentity } from '../passport.ts';
import { schemaVersions, SchemaVersionError } from '../storage.ts';
import { createSqliteAudit } from './sqlite-storage.ts';
import { sharedReason, shownReason } from './folder.ts';
import { assertWhole, fileName, isDamage, refuseMovedState, StoreDamagedError } from './file.ts';
import { usableVersion } from './schema.ts';

/** Reads the SQLite file without changing it. Creates no file unless a bot left writes in `invigilator.sqlite-wal`. */
export function readSqlite(dataDir: string): StoreReading {
  const file = join(resolve(dataDir), fileName);

  /** SQLite creates files beside a database of WAL mode even to read it. Where no bot left any, `immutable` keeps it from that. */
  function open(): DatabaseSync {
    const url = pathToFileURL(file);
    if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, { readOnly: true });
  }

  async function reading<Answer>(read: (database: DatabaseSync) => Answer | Promise<Answer>): Promise<Answer> {
    const database = open();
    try {
      return await read(database);
    } finally {
      database.close();
    }
  }

  function textOf(database: DatabaseSync, key: string): string | undefined {
    if (usableVersion(database, file) === undefined) return undefined;
    const value = database.prepare('SELECT value FROM keyed_values WHERE key = ?').get(key)?.['value'];
    return typeof value === 'string' ? value : undefined;
  }

  return {
    well: `${file} is whole`,
    async look() {
      if (!existsSync(file)) return missingFile(dataDir, file);
      return reading((database) => {
        const version = usableVersion(database, file);
        assertWhole(database);
        return version === undefined ? newStore(`${file} is empty: the bot creates its tables`) : undefined;
      }).catch((error: unknown) => brokenFile(file, error));
    },
    isOlder: async () =>
      existsSync(file) && reading((database) => (usableVersion(database, file) ?? Infinity) < schemaVersions.sqlite),
    identity: async () =>
      reading((database) => {
        const text = textOf(database, 'store');
        return text === undefined ? undefined : (JSON.parse(text) as StoreIdentity);
      }),
    text: async (namespace, key) =>
      existsSync(file) ? reading((database) => textOf(database, `${namespace}:${key}`)) : undefined,
    trail: async (read) => reading((database) => read(createSqliteAudit(database, refuseWrites))),
  };
}

const refuseWrites = {
  write: async () => Promise.reject(new Error('this reading changes nothing')),
  flush() {},
};

function missingFile(dataDir: string, file: string): Finding {
  try {
    refuseMovedState(dataDir);
  } catch (error) {
    return unusableStore('store_moved', error instanceof Error ? error.message : String(error));
  }
  return newStore(`there is no ${file} yet: the bot creates it`);
}

function newStore(forOperator: string): Finding {
  return { ...unusableStore('store_new', forOperator), effect: 'unknown', problem: 'there is no store yet' };
}

function brokenFile(file: string, error: unknown): Finding {
  if (error instanceof StoreDamagedError || error instanceof SchemaVersionError)
    return unusableStore(error.code, error.message);
  if (isDamage(error)) return brokenFile(file, new StoreDamagedError(error));
  const reason = error instanceof Error ? error.message : String(error);
  return unusableStore('store_unreadable', `${file} cannot be read (${reason}): give it to the bot’s user`);
}

/** The audit trail grows by some hundred bytes an entry: this lasts for years, and leaves room for an upgrade. */
const freeBytesAtLeast = 200 * 1024 * 1024;

/** Checks the folder and its disk. Reads only. */
export function diagnoseFolder(dataDir: string): Diagnosis[] {
  const folder = resolve(dataDir);
  if (!existsSync(folder)) return [placeDiagnosis(folder), spaceDiagnosis(existingAbove(folder))];
  const access = accessDiagnosis(folder);
  return [...(access ? [access] : []), spaceDiagnosis(folder)];
}

function placeDiagnosis(folder: string): Diagnosis {
  const above = existingAbove(folder);
  const error = writeError(above);
  if (error === undefined) return unknown(`DATA_DIR ${folder} does not exist: the bot creates it`);
  return fault(
    error === 'EROFS'
      ? `DATA_DIR ${folder} ${onReadOnlyDisk}`
      : `DATA_DIR ${folder} cannot be created: this user may not write in ${above}`,
  );
}

function existingAbove(path: string): string {
  return existsSync(path) ? path : existingAbove(dirname(path));
}

function accessDiagnosis(folder: string): Diagnosis | undefined {
  const error = writeError(folder);
  if (error === 'EROFS') return fault(`DATA_DIR ${folder} ${onReadOnlyDisk}`);
  if (error !== undefined) return fault(`DATA_DIR ${folder} cannot be written by this user: give it to the bot’s user`);
  const reason = sharedReason(folder);
  if (reason !== undefined) return fault(`DATA_DIR ${folder} ${shownReason(reason)}`);
  return undefined;
}

const onReadOnlyDisk =
  'is on a disk that can only be read: set DATA_DIR to a folder on a writable one, or mount one there';

/** Why this user cannot write in a folder, as a code. */
function writeError(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function spaceDiagnosis(folder: string): Diagnosis {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const free = freeBytes >= 2 ** 30 ? `${Math.floor(freeBytes / 2 ** 30)} GB` : `${Math.floor(freeBytes / 2 ** 20)} MB`;
  return freeBytes < freeBytesAtLeast
    ? fault(`only ${free} are free where DATA_DIR is: make room`)
    : right(`${free} are free where DATA_DIR is`);
}
