import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvigilatorError } from '../../domain/errors.ts';

/** Other users of the machine can use the folder, and the bot must not change that. */
export class DataDirSharedError extends InvigilatorError {
  readonly code = 'data_dir_shared';

  constructor(dataDir: string, reason: string) {
    super(
      `DATA_DIR ${resolve(dataDir)} is open to other users of this machine (${reason}): set DATA_DIR to a folder of the bot’s own, or run chmod 700 on it`,
    );
  }
}

const [group, others, sticky] = [0o070, 0o007, 0o1000];
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
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return false;
  const { mode, uid } = statSync(dataDir);
  const isOpen = (mode & (group | others)) !== 0;
  if (isOpen) {
    if ((mode & sticky) !== 0) throw new DataDirSharedError(dataDir, 'it is shared, like /tmp');
    if (uid !== ownUid)
      throw new DataDirSharedError(dataDir, `it belongs to the user ${uid}, the bot runs as ${ownUid}`);
    chmodSync(dataDir, mode & 0o700);
  }
  for (const name of readdirSync(dataDir)) if (ownFile.test(name)) chmodSync(join(dataDir, name), 0o600);
  return isOpen;
}
