import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { verifyChain, type ChainHead } from '../../../src/domain/audit-chain.ts';
import { hashBeforeSealing } from '../../../src/domain/sealed-entry.ts';
import { anchorTrail } from '../../../src/storage/anchored-trail.ts';
import { diagnoseStore, openReading } from '../../../src/storage/diagnose.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { writeFileOfVersion15 } from '../../support/store-1-5.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { wholeTrail } from '../../support/whole-trail.ts';
import { expectToGoOn, fill, look } from '../cases/filled-store.ts';

function openFile(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
}

/** The version, and the statements that make tables and indexes, as SQLite keeps them: without comments, quotes and layout. */
function schemaOf(dataDir: string) {
  const database = openFile(dataDir);
  const statements = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name")
    .all();
  const version = database.prepare('PRAGMA user_version').get();
  database.close();
  const normalized = (sql: string) =>
    sql
      .replaceAll(/--.*/g, '')
      .replaceAll('"', '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([(),]) ?/g, '$1');
  return { ...version, statements: statements.map(({ name, sql }) => [name, normalized(String(sql))]) };
}

async function filledFolder() {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  await fill(storage);
  const kept = await look(storage);
  await storage.close();
  return { dataDir, kept };
}

function folderOfVersion15(): string {
  const dataDir = temporaryDirectory();
  writeFileOfVersion15(dataDir);
  return dataDir;
}

describe('a file of version 1.5', () => {
  test('gets the tables of a new file when it is upgraded, and keeps what is in it', async () => {
    const fresh = await filledFolder();
    const dataDir = folderOfVersion15();
    expect(schemaOf(dataDir)).not.toEqual(schemaOf(fresh.dataDir));
    for (let time = 0; time < 2; time += 1) {
      const storage = openSqliteStorage(dataDir, { now: Date.now });
      expect(await look(storage)).toEqual(fresh.kept);
      await storage.close();
      expect(schemaOf(dataDir)).toEqual(schemaOf(fresh.dataDir));
    }
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    await expectToGoOn(storage, fresh.kept);
    await storage.close();
  });

  test('gets the names on its record sealed, and a hash that was kept can be found again', async () => {
    const dataDir = folderOfVersion15();
    const file = openFile(dataDir);
    const before = file.prepare("SELECT position, hash FROM audit WHERE team_id = 'T1' ORDER BY position").all();
    file.close();
    const storage = openSqliteStorage(dataDir, { now: () => 5_000 });
    const links = await storage.audit.since('T1', 0, 100);
    expect(links.slice(0, -1).map((link) => hashBeforeSealing(link))).toEqual(before.map(({ hash }) => hash));
    expect(links.map(({ text }) => text).join('')).not.toContain('Ω');
    expect(links.at(-1)?.entry).toMatchObject({ at: 5_000, operation: 'seal-record', action: 'done' });
    for (const { position, hash } of before as unknown as ChainHead[]) {
      const anchors = new Keyv<ChainHead>();
      await anchors.set('T1', { position, hash });
      expect(await anchorTrail(storage.audit, anchors).missingEnd('T1')).toBeUndefined();
    }
    await storage.close();
  });

  test('whose record was broken has it broken at the same place', async () => {
    const dataDir = folderOfVersion15();
    const file = openFile(dataDir);
    file.exec("UPDATE audit SET text = replace(text, 'close', 'open') WHERE team_id = 'T1' AND position = 3");
    file.close();
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    const { audit } = storage;
    expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toEqual({
      kind: 'broken',
      at: 3,
      problem: 'change',
    });
    await storage.close();
  });

  test('has states that count as changed when it was upgraded', async () => {
    const dataDir = folderOfVersion15();
    await openSqliteStorage(dataDir, { now: () => 5_000 }).close();
    const database = openFile(dataDir);
    expect(
      database
        .prepare("SELECT changed_at, count(*) AS states FROM queue_states WHERE queue NOT LIKE 'key/%' GROUP BY 1")
        .all(),
    ).toEqual([{ changed_at: 5_000, states: 3 }]);
    database.close();
  });

  test('gets the small pages of a new file', async () => {
    const pageSizeOf = (dataDir: string) => {
      const database = openFile(dataDir);
      const { page_size: bytes } = database.prepare('PRAGMA page_size').get()!;
      database.close();
      return bytes;
    };
    const dataDir = folderOfVersion15();
    expect(pageSizeOf(dataDir)).toBe(4_096);
    await openSqliteStorage(dataDir, { now: Date.now }).close();
    const fresh = temporaryDirectory();
    await openSqliteStorage(fresh, { now: Date.now }).close();
    expect([pageSizeOf(dataDir), pageSizeOf(fresh)]).toEqual([2_048, 2_048]);
  });

  test('is upgraded at the start, as the doctor says', async () => {
    const dataDir = folderOfVersion15();
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
    /was written by version 1\.1 of the bot or an older one: start version 1\.6 with it once, then this version$/;
  const startNewer = /was written by a newer version of the bot: start that version$/;

  test.each([
    ['of version 0.1, which wrote no version', 'CREATE TABLE events (event_id TEXT)', 'older_schema', startOlder],
    ['of version 1.0', 'CREATE TABLE events (event_id TEXT); PRAGMA user_version = 2', 'older_schema', startOlder],
    ['of version 1.1', 'CREATE TABLE known_events (id TEXT); PRAGMA user_version = 3', 'older_schema', startOlder],
    ['of a newer version', 'CREATE TABLE states (id TEXT); PRAGMA user_version = 10', 'newer_schema', startNewer],
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
