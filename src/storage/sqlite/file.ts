import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InvigilatorError } from '../../domain/errors.ts';
import { prepareTables, usableVersion } from './schema.ts';

/** The bot's SQLite file in `DATA_DIR`. */
export const fileName = 'invigilator.sqlite';
/** Its name after the state was moved to Redis. */
export const movedFileName = `${fileName}.moved`;

/** The length to which SQLite cuts the log of writes after a checkpoint, in bytes. It grows beyond while a backup reads. */
const walAtMost = 4 * 1024 * 1024;

/** A step changes a few rows in as many pages, and writes these whole. */
const pageBytes = 2_048;

/** Pages of the file are damaged, by a disk or by another program. */
export class StoreDamagedError extends InvigilatorError {
  readonly code = 'store_damaged';

  constructor(cause: unknown) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
    super(
      `${fileName} is damaged (${reason}): stop the bot, restore a backup, or recover the file with sqlite3 ${fileName} ".recover", and start the bot`,
      { cause },
    );
  }
}

/** SQLite's codes for a damaged file and for one that is no database: https://www.sqlite.org/rescode.html */
const [corrupt, notADatabase] = [11, 26];

/** Whether an error says that the file is damaged. Extended codes have the code in their last byte. */
export function isDamage(error: unknown): boolean {
  const { errcode } = Object(error) as { errcode?: unknown };
  return typeof errcode === 'number' && [corrupt, notADatabase].includes(errcode & 0xff);
}

/**
 * Reads every page, about 0.3 s for 100 MB. Unlike `integrity_check`, it does not compare indexes with their tables.
 * @throws {StoreDamagedError}, or SQLite's own error
 */
export function assertWhole(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw new StoreDamagedError(found);
}

/**
 * Opens (or makes) the file, with the tables of this version of the bot. The caller holds DATA_DIR.
 * @throws {StoreDamagedError}
 * @throws {SchemaVersionError} where the file is for another version of the bot; then nothing in it was changed
 */
export function openSqliteFile(dataDir: string, now: () => number): DatabaseSync {
  const database = new DatabaseSync(join(dataDir, fileName));
  return openOrElse(
    () => database.close(),
    () => {
      let version: number | undefined;
      try {
        database.exec('PRAGMA busy_timeout = 2000; PRAGMA synchronous = FULL;');
        version = usableVersion(database, `the file ${fileName}`);
        // A file without tables has no pages yet.
        if (version === undefined) database.exec(`PRAGMA page_size = ${pageBytes}`);
        database.exec(`PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = ${walAtMost}`);
        assertWhole(database);
      } catch (error) {
        throw isDamage(error) ? new StoreDamagedError(error) : error;
      }
      prepareTables(database, version, now());
      return database;
    },
  );
}

/** A bot without REDIS_URL would begin anew beside its moved state. */
export function refuseMovedState(dataDir: string): void {
  if (existsSync(join(dataDir, fileName)) || !existsSync(join(dataDir, movedFileName))) return;
  throw new Error(
    `the state in DATA_DIR ${resolve(dataDir)} was moved to Redis: set REDIS_URL to go on with it there, or rename ${movedFileName} to ${fileName} to go on as it was before the move`,
  );
}

export function openOrElse<Opened>(giveUp: () => void, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    giveUp();
    throw error;
  }
}
