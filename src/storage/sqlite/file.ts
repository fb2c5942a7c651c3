import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sweepKv } from './kv.ts';
import { prepareTables } from './schema.ts';

/** The bot's SQLite file in `DATA_DIR`. */
export const fileName = 'invigilator.sqlite';
/** Its name after the state was moved to Redis. */
export const movedFileName = `${fileName}.moved`;

/** Opens (or makes) the file, with the tables of this version of the bot. The caller holds DATA_DIR. */
export function openSqliteFile(dataDir: string, now: () => number): DatabaseSync {
  const database = new DatabaseSync(join(dataDir, fileName));
  return openOrElse(
    () => database.close(),
    () => {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000;');
      prepareTables(database, now());
      sweepKv(database, now);
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
