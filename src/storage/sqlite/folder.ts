import { readFileSync, writeFileSync, statSync, chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InvigilatorError } from '../../domain/errors.ts';
import { createServer } from 'node:net';

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

/**
 * Holds the folder a second time, with what nobody can delete from under the process: an abstract socket of Linux, which has
 * a name and no file, and ends with the process (https://man7.org/linux/man-pages/man7/unix.7.html). Containers do not see
 * each other's; there, and on other systems, the lock file alone holds the folder.
 *
 * @throws {DataDirInUseError}
 */
export async function holdFolder(dataDir: string): Promise<{ release(): void }> {
  if (process.platform !== 'linux') return { release() {} };
  const { dev, ino } = statSync(dataDir);
  const server = createServer((socket) => socket.destroy()).unref();
  await new Promise<void>((hold, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(new DataDirInUseError(dataDir, readPid(dataDir))) : hold(),
    );
    server.listen(`\0invigilator-${dev}-${ino}`, hold);
  });
  server.on('error', () => {});
  return { release: () => void server.close() };
}

/** Other users of the machine can use the folder, and the bot must not change that. */
class DataDirSharedError extends InvigilatorError {
  readonly code = 'data_dir_shared';

  constructor(dataDir: string, reason: SharedReason) {
    super(`DATA_DIR ${resolve(dataDir)} ${shownReason(reason)}`);
  }
}

/** Why a folder that other users can use must stay as it is. */
type SharedReason = { kind: 'for-everyone' } | { kind: 'of-another-user'; uid: number; ownUid: number };

const [group, others, sticky] = [0o070, 0o007, 0o1000];

/**
 * @param folder an existing folder
 * @returns why the bot cannot take the folder from other users, or undefined: they cannot use it, or the bot takes it
 */
export function sharedReason(folder: string): SharedReason | undefined {
  const ownUid = process.getuid?.();
  const { mode, uid } = statSync(folder);
  if (ownUid === undefined || (mode & (group | others)) === 0) return undefined;
  // Every program of the machine needs such a folder, whoever owns it.
  if ((mode & sticky) !== 0) return { kind: 'for-everyone' };
  return uid === ownUid ? undefined : { kind: 'of-another-user', uid, ownUid };
}

/** What is wrong with the folder and what to do, to follow its path. */
export function shownReason(reason: SharedReason): string {
  return reason.kind === 'for-everyone'
    ? 'is shared by all users of this machine: set DATA_DIR to a folder of the bot’s own, such as a subfolder, which the bot creates'
    : `is open to other users of this machine and belongs to the user ${reason.uid}, but the bot runs as ${reason.ownUid}: set DATA_DIR to a folder of the bot’s own, or make it the bot’s with chown ${reason.ownUid}`;
}

const ownFile = /^(?:invigilator\.sqlite(?:$|[.-])|lock\.|known-)/;

/**
 * Makes the folder, or takes an existing one and its files from everyone but their owner: they have names of people.
 * Windows has no such permissions.
 *
 * @returns whether the folder was open
 * @throws {DataDirSharedError} for a folder of another user, and for one that users share, such as `/tmp`
 */
export function restrictDataDir(dataDir: string): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (process.getuid === undefined) return false;
  const reason = sharedReason(dataDir);
  if (reason !== undefined) throw new DataDirSharedError(dataDir, reason);
  const { mode } = statSync(dataDir);
  const isOpen = (mode & (group | others)) !== 0;
  if (isOpen) chmodSync(dataDir, mode & 0o700);
  for (const name of readdirSync(dataDir)) if (ownFile.test(name)) chmodSync(join(dataDir, name), 0o600);
  return isOpen;
}
