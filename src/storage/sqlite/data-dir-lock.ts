import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InvigilatorError } from '../../domain/errors.ts';

/** Another process uses the folder. Two bots on one file would both post the waiting alerts. */
export class DataDirInUseError extends InvigilatorError {
  readonly code = 'data_dir_in_use';

  constructor(dataDir: string, pid: string | undefined) {
    super(
      `DATA_DIR ${resolve(dataDir)} is in use by another process (pid ${pid ?? 'unknown'}): stop that one first, or set DATA_DIR to a folder of this bot’s own. Bots share their state over REDIS_URL.`,
    );
  }
}

/** The file whose lock holds the folder. It stays when the process ends. */
export const lockFileName = 'lock.sqlite';

/** SQLite's error code for a file that another connection has locked (https://www.sqlite.org/rescode.html#busy). */
const sqliteBusy = 5;

/** References to the held locks. Without a reference, the garbage collector would end the lock. */
const held = new Set<DatabaseSync>();

/**
 * Takes the folder for this process. The operating system ends the hold with the process, however it ends: it is a
 * lock of SQLite's on a file of its own, so that the bot's file can be read by others, such as a backup.
 *
 * @returns what gives the folder back
 * @throws {DataDirInUseError}
 */
export function lockDataDir(dataDir: string): { release(): void } {
  // The pid is in a separate file: opening and closing the locked file in this process would release the lock
  // (https://www.sqlite.org/howtocorrupt.html, section 2.2).
  const pidFile = pidFileIn(dataDir);
  const lock = new DatabaseSync(join(dataDir, lockFileName));
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new DataDirInUseError(dataDir, readPid(dataDir)) : error;
  }
  held.add(lock);
  return {
    release() {
      if (held.delete(lock)) lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

const pidFileIn = (dataDir: string) => join(dataDir, 'lock.pid');

/** The process that uses the folder, as far as it is known. */
export function readPid(dataDir: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(pidFileIn(dataDir), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
