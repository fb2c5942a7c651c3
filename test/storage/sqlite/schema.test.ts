import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { emptyChain, nextLink, verifyChain } from '../../../src/domain/audit-chain.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { eventBody } from '../../support/event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import {
  oldAuditText,
  oldChannelState,
  oldCompareState,
  oldContent,
  oldDigest,
  oldPause,
  oldRequest,
  oldSettled,
  oldSubscription,
  oldWaiting,
  version2Tables,
} from '../../support/version-2.ts';
import { version3 } from '../../support/version-3.ts';
import { wholeTrail } from '../../support/whole-trail.ts';
import { expectToGoOn, expectUpgraded } from '../cases/upgraded.ts';
import { expectUpgradedOutcomes, upgradedQueue } from '../cases/upgraded-outcomes.ts';

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

/** Takes back what version 5 added to the tables. */
const withoutVersion5 =
  'DROP INDEX queue_states_changed; DROP INDEX keyed_values_expiry; ALTER TABLE queue_states DROP COLUMN changed_at;';

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
  old
    .prepare('INSERT INTO approvals VALUES (?, ?, ?, 1, 3, ?)')
    .run('T1', 'a', request.createdAt, JSON.stringify(request));
  old.prepare('INSERT INTO keyed_values VALUES (?, ?, NULL)').run('one:key', JSON.stringify({ value: { n: 1 } }));
  old.close();

  for (const now of [5_000, 9_000]) {
    const storage = openSqliteStorage(dataDir, { now: () => now });
    expect(await storage.inbox.waiting(10, 0)).toMatchObject([
      {
        id: 'waits',
        takenAt: 5_000,
        content: { kind: 'submission', submission: { responseId: 'r-1', name: 'Rosa Almeida' } },
      },
    ]);
    expect(await storage.inbox.knownIds(['settled', 'waits', 'odd', 'other'])).toEqual(
      new Set(['settled', 'waits', 'odd', 'other']),
    );
    expect(await storage.inbox.knownSubjects(['q-1/r-1'])).toEqual(new Set(['q-1/r-1']));
    expect(await storage.approvals.byId('T1', 'a')).toEqual({ request, version: 3 });
    expect(await storage.kv('one').get('key')).toEqual({ n: 1 });
    await storage.audit.append('T1', auditEntry());
    expect(await verifyChain(wholeTrail(storage.audit, 'T1'), await storage.audit.head('T1'))).toMatchObject({
      kind: 'whole',
    });
    await storage.close();
  }
});

test('a file of version 2 is upgraded with all that is in it, and the addresses of respondents are gone from it', async () => {
  const dataDir = temporaryDirectory();
  const old = openFile(dataDir);
  old.exec('PRAGMA journal_mode = WAL');
  old.exec(version2Tables);
  const event = old.prepare(
    'INSERT INTO events (event_id, type, body, trusted, settled, subject, taken_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { id, subject, takenAt } of oldSettled) event.run(id, 'response.submitted', '', 1, 1, subject, takenAt);
  for (const { id, type, body, trusted, subject } of oldWaiting)
    event.run(id, type, body, Number(trusted), 0, subject, 900);
  const entry = old.prepare(
    'INSERT INTO lane_entries (position, lane, subscription_id, at, content) VALUES (?, ?, ?, ?, ?)',
  );
  entry.run(3, 'channel/T1/C1', 's-1', 1_000, oldContent);
  entry.run(4, 'channel/T1/C1', 's-1', 1_100, oldDigest);
  entry.run(9, 'channel/T1/C1', 's-1', 1_200, oldContent);
  old.exec('DELETE FROM lane_entries WHERE position = 9');
  const state = old.prepare('INSERT INTO lane_states VALUES (?, ?, ?, ?)');
  state.run('channel/T1/C1', 5, 1, oldChannelState);
  state.run('compare', 2, 0, oldCompareState);
  old.prepare('INSERT INTO subscriptions VALUES (?, ?, ?, ?, ?)').run('T1', 's-1', 1_000, oldSubscription, oldPause);
  old.prepare('INSERT INTO approvals VALUES (?, ?, ?, 1, 3, ?)').run('T1', 'a', 1_000, oldRequest);
  old.exec(
    "INSERT INTO tallies VALUES ('webhooks', 'taken', 7), ('webhooks', 'missed', 3), ('webhooks', 'refused: malformed', 2)",
  );
  const link = nextLink(emptyChain, oldAuditText);
  old.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)').run('T1', link.position, link.text, link.hash);
  old.prepare('INSERT INTO audit_heads VALUES (?, ?, ?)').run('T1', link.position, link.hash);
  old.close();

  for (let time = 0; time < 2; time += 1) {
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    const written = readdirSync(dataDir)
      .map((name) => readFileSync(join(dataDir, name), 'latin1'))
      .join('');
    expect(written).toContain('Rosa Almeida');
    expect(written).not.toMatch(/rosa@quiz\.example|203\.0\.113/);
    await expectUpgraded(storage);
    await storage.close();
  }
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  await expectToGoOn(storage);
  await storage.close();
});

test('a file of version 3 is upgraded to four outcomes', async () => {
  const dataDir = temporaryDirectory();
  await openSqliteStorage(dataDir, { now: Date.now }).close();
  const old = openFile(dataDir);
  old.exec(`${withoutVersion5} PRAGMA user_version = 3`);
  const entry = old.prepare('INSERT INTO queue_entries VALUES (?, ?, ?, ?, ?)');
  entry.run(upgradedQueue, 3, 's-1', 1_000, version3.failed);
  entry.run(upgradedQueue, 4, 's-1', 1_100, version3.digest);
  old
    .prepare('INSERT INTO queue_states (queue, version, is_busy, state) VALUES (?, 5, 1, ?)')
    .run(upgradedQueue, version3.state);
  const waiting = old.prepare('INSERT INTO waiting_events VALUES (?, ?, ?, 900, ?)');
  waiting.run(0, 1, 'survey', version3.survey);
  waiting.run(1, 2, 'hint', version3.hint);
  old.close();

  for (let time = 0; time < 2; time += 1) {
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    await expectUpgradedOutcomes(storage);
    await storage.close();
  }
  const file = openFile(dataDir);
  expect(file.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 });
  file.close();
});

test('states in a file of version 4 count as changed when it is upgraded', async () => {
  const dataDir = temporaryDirectory();
  await openSqliteStorage(dataDir, { now: Date.now }).close();
  const old = openFile(dataDir);
  old.exec(`${withoutVersion5} PRAGMA user_version = 4; INSERT INTO queue_states VALUES ('step/T1/over', 3, 0, '{}')`);
  old.close();
  const storage = openSqliteStorage(dataDir, { now: () => 5_000 });
  const { outbox } = storage;
  await outbox.forgetStates({ step: 5_000 });
  expect(await outbox.stateOf('step/T1/over')).toEqual({ version: 3, state: {} });
  await outbox.forgetStates({ step: 5_001 });
  expect(await outbox.stateOf('step/T1/over')).toEqual({ version: 0, state: undefined });
  await storage.close();
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
