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
  return canWrite(above)
    ? unknown(`DATA_DIR ${folder} does not exist: the bot creates it`)
    : fault(`DATA_DIR ${folder} cannot be created: this user may not write in ${above}`);
}

function existingAbove(path: string): string {
  return existsSync(path) ? path : existingAbove(dirname(path));
}

function accessDiagnosis(folder: string): Diagnosis | undefined {
  if (!canWrite(folder)) return fault(`DATA_DIR ${folder} cannot be written by this user: give it to the bot’s user`);
  const reason = sharedReason(folder);
  if (reason !== undefined) return fault(`DATA_DIR ${folder} ${shownReason(reason)}`);
  return undefined;
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
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
