import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { diagnoseStore, openReading } from '../../../src/storage/open-storage.ts';
import { openSqliteFile } from '../../../src/storage/sqlite/file.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { writeSqliteOf17 } from '../../support/life-of-17.ts';
import { read } from '../../support/project-files.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { expectToGoOn, fill, look } from '../cases/filled-store.ts';
import { sqliteSchema } from '../../../src/storage/sqlite/schema.ts';

function openFile(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
}

describe('a file of version 1.7', () => {
  async function folderOfVersion17() {
    const dataDir = temporaryDirectory();
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    await fill(storage);
    const kept = await look(storage);
    await storage.close();
    const file = openFile(dataDir);
    file.exec(`
      INSERT INTO keyed_values VALUES ('audit-posted:T1', '{"value":6}', NULL);
      INSERT INTO queue_states VALUES ('evidence/T1', 1, 0, 0, '{');
      CREATE TABLE waiting_events (is_hint INTEGER, position INTEGER, id TEXT, taken_at INTEGER, content TEXT);
      INSERT INTO known_events VALUES ('held', 'q-9/r-9', 1, 3, 'what it told'), ('hint', NULL, 0, 4, NULL);
      INSERT INTO waiting_events VALUES
        (2, 9001, 'hint', 4, '{"kind":"hint","quizId":"q-1","responseId":"r-1","failures":{"count":1}}'),
        (0, 9002, 'held', 3, '{"kind":"submission"}'), (1, 9003, 'broken', 5, '{');
      PRAGMA user_version = 9;
    `);
    file.close();
    return { dataDir, kept };
  }

  test('keeps what is in it, but what nobody reads any more; what cannot be read waits to be set aside', async () => {
    const { dataDir, kept } = await folderOfVersion17();
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    const { outbox } = storage;
    const [hint, held] = (await outbox.waiting('inbox', { limit: 9 })).slice(-2);
    expect([hint, held]).toEqual([
      {
        position: 9_001,
        subscriptionId: 'inbox',
        at: 4,
        content: {
          kind: 'inbox-event',
          event: {
            id: 'hint',
            subject: '',
            isBackfilled: false,
            takenAt: 4,
            content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' },
          },
        },
      },
      expect.objectContaining({
        content: {
          kind: 'inbox-event',
          event: {
            id: 'held',
            subject: 'q-9/r-9',
            isBackfilled: true,
            takenAt: 3,
            content: { kind: 'submission' },
            result: 'what it told',
          },
        },
      }),
    ]);
    expect(await storage.inbox.knownIds(['held', 'hint'])).toEqual(new Set(['hint']));
    expect(await outbox.drop('inbox', 6)).toBe(2);
    expect(await look(storage)).toEqual(kept);
    await expectToGoOn(storage, kept);
    await storage.close();
    const file = openFile(dataDir);
    const rows = (sql: string) => file.prepare(sql).all();
    expect(rows("SELECT key FROM keyed_values WHERE key LIKE 'audit-p%'")).toEqual([]);
    expect(rows("SELECT state FROM queue_states WHERE queue = 'evidence/T1'")).toEqual([{ state: '{' }]);
    expect(rows('PRAGMA user_version')).toEqual([{ user_version: 12 }]);
    file.close();
  });

  test('with everything that 1.7 stored becomes what an upgrade of it leaves as it is, with the tables of a new one', () => {
    const dataDir = temporaryDirectory();
    writeSqliteOf17(dataDir, read('test/fixtures/store-1.7.sql'));
    const contents = [1, 2].map(() => {
      openSqliteFile(dataDir, () => 5_000).close();
      const file = openFile(dataDir);
      const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const rows = tables.map(({ name }) => file.prepare(`SELECT * FROM ${String(name)}`).all());
      file.exec('PRAGMA user_version = 9');
      file.close();
      return rows;
    });
    expect(contents[1]).toEqual(contents[0]);
    const tablesOf = (database: DatabaseSync) =>
      database
        .prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all()
        .map(({ sql }) => String(sql).replaceAll(/\s+/g, ' '));
    const [upgraded, fresh] = [openFile(dataDir), new DatabaseSync(':memory:')];
    fresh.exec(sqliteSchema);
    expect(tablesOf(upgraded)).toEqual(tablesOf(fresh));
    upgraded.close();
    fresh.close();
  });

  test('is upgraded at the start, as the doctor says', async () => {
    const { dataDir } = await folderOfVersion17();
    const config = { dataDir, redisUrl: undefined };
    const { reading } = await openReading(config);
    expect(await reading.look()).toBeUndefined();
    expect(await diagnoseStore(config, reading)).toContainEqual({
      state: 'right',
      text: expect.stringMatching(/of an older version: the bot upgrades it at the start/),
    });
  });
});

describe('a file that is refused, and not changed', () => {
  const startOlder =
    /was written by version 1\.6 of the bot or an older one: start version 1\.7 with it once, then this version$/;
  const startNewer = /was written by a newer version of the bot: start that version$/;

  test.each([
    ['of version 0.1, which wrote no version', 'CREATE TABLE events (event_id TEXT)', 'older_schema', startOlder],
    ['of version 1.0', 'CREATE TABLE events (event_id TEXT); PRAGMA user_version = 2', 'older_schema', startOlder],
    ['of version 1.6', 'CREATE TABLE known_events (id TEXT); PRAGMA user_version = 8', 'older_schema', startOlder],
    ['of a newer version', 'CREATE TABLE states (id TEXT); PRAGMA user_version = 13', 'newer_schema', startNewer],
  ])('is one %s', async (_, sql, code, message) => {
    const dataDir = temporaryDirectory();
    const file = openFile(dataDir);
    file.exec(sql);
    file.close();
    const content = () =>
      readdirSync(dataDir)
        .filter((name) => name.startsWith('invigilator.'))
        .map((name) => [name, readFileSync(join(dataDir, name), 'base64')]);
    const before = content();
    expect(() => openSqliteStorage(dataDir, { now: Date.now })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
    const { reading } = await openReading({ dataDir, redisUrl: undefined });
    expect(await reading.look()).toMatchObject({ code, effect: 'stops', forOperator: expect.stringMatching(message) });
    expect(content()).toEqual(before);
  });
});
