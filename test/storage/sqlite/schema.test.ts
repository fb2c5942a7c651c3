import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { verifyChain } from '../../../src/domain/audit-chain.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { eventBody } from '../../support/event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { wholeTrail } from '../../support/whole-trail.ts';

/** The tables as the bot made them before its files had a version. */
const firstTables = `
  CREATE TABLE keyed_values (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE events (position INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, body TEXT NOT NULL, trusted INTEGER NOT NULL, settled INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX events_waiting ON events (position) WHERE settled = 0;
  CREATE TABLE approvals (team_id TEXT NOT NULL, id TEXT NOT NULL, created_at INTEGER NOT NULL, is_pending INTEGER NOT NULL, version INTEGER NOT NULL, request TEXT NOT NULL, PRIMARY KEY (team_id, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX approvals_pending ON approvals (team_id, created_at) WHERE is_pending = 1;
  CREATE TABLE audit (team_id TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (team_id, position)) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_heads (team_id TEXT PRIMARY KEY, position INTEGER NOT NULL, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

function openFile(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
}

test('a file of the first version is brought along with all that is in it', async () => {
  const dataDir = temporaryDirectory();
  const old = openFile(dataDir);
  old.exec(firstTables);
  const insert = old.prepare('INSERT INTO events (event_id, type, body, trusted, settled) VALUES (?, ?, ?, ?, ?)');
  insert.run('settled', 'response.submitted', '', 1, 1);
  insert.run('waits', 'response.submitted', eventBody(), 1, 0);
  insert.run('odd', 'something.else', 'no JSON', 0, 0);
  insert.run('other', 'user.created', '{"data":{"user_id":"u-1"}}', 1, 0);
  const request = approvalRequest({ teamId: 'T1', id: 'a' });
  old.prepare('INSERT INTO approvals VALUES (?, ?, ?, 1, 3, ?)').run('T1', 'a', request.createdAt, JSON.stringify(request));
  old.prepare('INSERT INTO keyed_values VALUES (?, ?, NULL)').run('one:key', JSON.stringify({ value: { n: 1 } }));
  old.close();

  for (const now of [5_000, 9_000]) {
    const storage = openSqliteStorage(dataDir, { now: () => now });
    const facts = { type: 'response.submitted', trusted: true, takenAt: 5_000 };
    expect(await storage.inbox.waiting(10)).toEqual([
      { ...facts, id: 'waits', subject: 'q-1/r-1', body: eventBody() },
      { ...facts, id: 'odd', type: 'something.else', trusted: false, subject: '', body: 'no JSON' },
      { ...facts, id: 'other', type: 'user.created', subject: '', body: '{"data":{"user_id":"u-1"}}' },
    ]);
    expect(await storage.inbox.remember({ ...facts, id: 'settled', subject: '', body: '' })).toBe(false);
    expect(await storage.approvals.byId('T1', 'a')).toEqual({ request, version: 3 });
    expect(await storage.kv('one').get('key')).toEqual({ n: 1 });
    await storage.audit.append('T1', auditEntry());
    expect(await verifyChain(wholeTrail(storage.audit, 'T1'), await storage.audit.head('T1'))).toMatchObject({ kind: 'whole' });
    await storage.close();
  }
});

test('a file of a newer version is refused, and not touched', () => {
  const dataDir = temporaryDirectory();
  const newer = openFile(dataDir);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openSqliteStorage(dataDir, { now: Date.now })).toThrow('was written by a newer version of the bot');
  const file = openFile(dataDir);
  expect(file.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 });
  file.close();
});
