import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fault, right, unknown, type Diagnosis } from '../../domain/diagnosis.ts';
import { sharedReason, shownReason } from './data-dir-permissions.ts';

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
