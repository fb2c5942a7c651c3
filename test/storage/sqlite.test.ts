import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { verifyChain } from '../../src/domain/audit-chain.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { wholeTrail } from '../support/opened-links.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
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

test('SQLite expires key-value pairs after their time to live, and deletes expired ones when it opens the file and every minute', async () => {
  const dataDir = temporaryDirectory();
  const timers = createHandTimers();
  let now = Date.now();
  const storage = openSqliteStorage(dataDir, { now: () => now, setTimer: timers.setTimer });
  await storage.kv('plans').set('gone', 1, -1);
  await storage.kv('plans').set('kept', 1, 7_200_000);
  for (let n = 0; n < 50; n += 1) await storage.kv('plans').set(`key ${n}`, 'personal', 3_600_000);
  const keys = () => {
    const file = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
    const rows = file.prepare("SELECT key FROM keyed_values WHERE key LIKE 'plans:%'").all();
    file.close();
    return rows.map(({ key }) => key);
  };
  expect(await storage.kv('plans').get('gone')).toBeUndefined();
  expect(keys()).toHaveLength(51);
  await storage.open();
  expect(keys()).toHaveLength(51);
  now += 3_600_001;
  expect(keys()).toHaveLength(51);
  timers.fire(60_000);
  await expect.poll(keys).toEqual(['plans:kept']);
  await storage.close();
  now += 3_600_000;
  const opened = openSqliteStorage(dataDir, { now: () => now });
  await opened.open();
  expect(keys()).toEqual([]);
  await opened.close();
});

test('SQLite has nothing left in its files of what was taken out or deleted', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  for (let n = 0; n < 300; n += 1) await storage.kv('plans').set(`key ${n}`, `Rosa ${n} ${'x'.repeat(n * 10)}`);
  for (let n = 0; n < 100; n += 1) await storage.kv('plans').delete(`key ${n}`);
  const hasRosa = () =>
    readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(Buffer.from('Rosa')));
  expect(hasRosa()).not.toEqual([]);
  await storage.cleansing.rewrite((_, text) => text.replaceAll('Rosa', 'nobody'));
  await storage.cleansing.compact();
  expect(hasRosa()).toEqual([]);
  expect(await storage.kv('plans').get('key 150')).toMatch(/^nobody 150 /);
  await storage.close();
  expect(hasRosa()).toEqual([]);
});

test.each(['{', '7', '{"operation":"o","sealed":[{"of":"user/17","data":"AAAA"}]}'])(
  'an audit trail in which an entry was changed to %s lists the others, and says where',
  async (text) => {
    const dataDir = temporaryDirectory();
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    const { audit } = storage;
    for (const id of ['17', '18', '19'])
      await audit.append('T1', auditEntry({ targets: [{ kind: 'user', id, name: `Rosa ${id}` }] }));
    const file = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
    file.prepare('UPDATE audit SET text = ? WHERE position = 2').run(text);
    file.close();
    expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toEqual({
      kind: 'broken',
      at: 2,
      problem: 'change',
    });
    const [last, changed, first] = (await audit.latest('T1', 9)).map(({ entry }) => JSON.stringify(entry));
    expect([first, last]).toEqual([expect.stringContaining('Rosa 17'), expect.stringContaining('Rosa 19')]);
    expect(changed).not.toContain('Rosa');
    await storage.close();
  },
);

test('SQLite says that its files may have what was taken out while another program reads them, and writes go on', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  await storage.kv('plans').set('key', 'Rosa');
  const reader = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  reader.exec('BEGIN; SELECT count(*) FROM keyed_values');
  const compacting = storage.cleansing.compact();
  const written = storage.kv('plans').set('key', 'nobody');
  await expect(compacting).rejects.toThrow('another program reads the file of the store');
  await written;
  expect(await storage.kv('plans').get('key')).toBe('nobody');
  reader.exec('COMMIT');
  reader.close();
  expect(await storage.cleansing.compact()).toBe(true);
  await storage.close();
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
