import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { fault, right, unknown, type Finding } from '../../domain/finding.ts';
import { contentFinding } from '../known-content.ts';
import { schemaVersion, SchemaVersionError } from '../schema-version.ts';
import type { StoreIdentity } from '../content-watch.ts';
import { fileName, isDamage, movedFileName } from './file.ts';
import { usableVersion } from './upgrades.ts';

/** The audit trail grows by some hundred bytes an entry: this lasts for years, and leaves room for an upgrade. */
const freeBytesAtLeast = 200 * 1024 * 1024;
const backup = 'Stop the bot and restore a backup (docs/operations.md)';

/** Checks the folder and the file. Reads only, and creates no file unless a bot left writes in `invigilator.sqlite-wal`. */
export function diagnoseSqlite(dataDir: string): Finding[] {
  const folder = resolve(dataDir);
  const file = join(folder, fileName);
  if (!existsSync(folder)) return [placeFinding(folder), spaceFinding(existingAbove(folder))];
  const access = accessFinding(folder);
  const findings = [...(access ? [access] : []), spaceFinding(folder)];
  if (existsSync(file)) return [...fileFindings(file), ...findings];
  if (existsSync(join(folder, movedFileName)))
    return [
      fault(
        `the state in DATA_DIR ${folder} was moved to Redis: set REDIS_URL, or rename ${movedFileName} to ${fileName}`,
      ),
      ...findings,
    ];
  return [unknown(`there is no ${fileName} in DATA_DIR ${folder}: the bot creates it`), ...findings];
}

function placeFinding(folder: string): Finding {
  const above = existingAbove(folder);
  return canWrite(above)
    ? unknown(`DATA_DIR ${folder} does not exist: the bot creates it`)
    : fault(`DATA_DIR ${folder} cannot be created: this user may not write in ${above}`);
}

function existingAbove(path: string): string {
  return existsSync(path) ? path : existingAbove(dirname(path));
}

function accessFinding(folder: string): Finding | undefined {
  if (!canWrite(folder)) return fault(`DATA_DIR ${folder} cannot be written by this user: give it to the bot’s user`);
  const { mode, uid } = statSync(folder);
  const isOpen = process.getuid !== undefined && (mode & 0o077) !== 0;
  if (isOpen && ((mode & 0o1000) !== 0 || uid !== process.getuid?.()))
    return fault(
      `DATA_DIR ${folder} is open to other users: set it to a folder of the bot’s own, or run chmod 700 on it`,
    );
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

function spaceFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const free = freeBytes >= 2 ** 30 ? `${Math.floor(freeBytes / 2 ** 30)} GB` : `${Math.floor(freeBytes / 2 ** 20)} MB`;
  return freeBytes < freeBytesAtLeast
    ? fault(`only ${free} are free where DATA_DIR is: make room`)
    : right(`${free} are free where DATA_DIR is`);
}

function fileFindings(file: string): Finding[] {
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const version = usableVersion(database, file);
    const check = String(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
    if (check !== 'ok') return [fault(`${file} is damaged (${check.replaceAll(/\s+/g, ' ')}). ${backup}`)];
    if (version === undefined) return [unknown(`${file} is empty: the bot creates its tables`)];
    const state =
      version === schemaVersion
        ? 'is whole'
        : 'is whole, and of an older version: the bot upgrades it at the start, so make a backup first';
    return [right(`${file} ${state}`), contentFinding(join(dirname(file), 'known-store.json'), identityIn(database))];
  } catch (error) {
    if (error instanceof SchemaVersionError) return [fault(error.message)];
    if (isDamage(error))
      return [fault(`${file} is damaged (${error instanceof Error ? error.message : 'unreadable'}). ${backup}`)];
    return [
      fault(
        `${file} cannot be read (${error instanceof Error ? error.message : String(error)}): give it to the bot’s user`,
      ),
    ];
  } finally {
    database?.close();
  }
}

/** SQLite creates files beside a database of WAL mode even to read it. Where no bot left any, `immutable` keeps it from that. */
function openReadOnly(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** Reads the text of a keyed value; undefined where there is none, or the file cannot be read. */
export function readSqliteText(dataDir: string, key: string): string | undefined {
  const file = join(resolve(dataDir), fileName);
  if (!existsSync(file)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const value = database.prepare('SELECT value FROM keyed_values WHERE key = ?').get(key)?.['value'];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

function identityIn(database: DatabaseSync): StoreIdentity | undefined {
  const row = database.prepare("SELECT value FROM keyed_values WHERE key = 'store'").get();
  return row && (JSON.parse(String(row['value'])) as StoreIdentity);
}
