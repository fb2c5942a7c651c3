import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvigilatorError } from '../../domain/errors.ts';

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
