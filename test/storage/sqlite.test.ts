import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { holdLease, isFree } from '../support/held-lease.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { holdsFor } from './cases/every-store.ts';

describe('SQLite', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'invigilator-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  holdsFor(async (setTimer) => openSqliteStorage(dataDir, { now: Date.now, setTimer }));
});

test('SQLite expires key-value pairs after their time to live and deletes expired ones when it opens the file', async () => {
  const dataDir = temporaryDirectory();
  let now = Date.now();
  let storage = openSqliteStorage(dataDir, { now: () => now });
  await storage.kv('one').set('gone', 1, -1);
  await storage.kv('one').set('key', 'personal', 1_000);
  expect(await storage.kv('one').get('gone')).toBeUndefined();
  await storage.close();
  now += 2_000;
  storage = openSqliteStorage(dataDir, { now: () => now });
  await storage.close();
  storage = openSqliteStorage(dataDir, { now: () => 0 });
  expect(await storage.kv('one').get('key')).toBeUndefined();
  await storage.close();
});

test('SQLite throws when the store is lost, and does not look empty', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  const values = storage.kv('one');
  await storage.close();
  await expect(values.get('key')).rejects.toThrow();
  await expect(values.set('key', 1)).rejects.toThrow();
});

test('SQLite frees every lease when its process ends', async () => {
  const dataDir = temporaryDirectory();
  const before = openSqliteStorage(dataDir, { now: Date.now });
  await holdLease(before.leases, 'a');
  await before.close();
  const after = openSqliteStorage(dataDir, { now: Date.now });
  expect(await isFree(after.leases, 'a')).toBe(true);
  await after.close();
});

test('only its owner can read the folder of the store', async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await storage.close();
});
