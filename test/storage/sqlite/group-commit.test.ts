import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi, describe } from 'vitest';
import { createGroupCommit } from '../../../src/storage/sqlite/group-commit.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { namesOf, queueEntry } from '../../support/builders/alerts.ts';

function openNotes() {
  const file = join(temporaryDirectory(), 'notes.sqlite');
  const database = new DatabaseSync(file);
  const elsewhere = new DatabaseSync(file);
  onTestFinished(() => {
    if (database.isOpen) database.close();
    elsewhere.close();
  });
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE notes (note TEXT NOT NULL UNIQUE, parent TEXT REFERENCES notes (note) DEFERRABLE INITIALLY DEFERRED) STRICT',
  );
  const insert = database.prepare('INSERT INTO notes VALUES (?, ?)');
  const select = elsewhere.prepare('SELECT note FROM notes ORDER BY rowid');
  return {
    database,
    elsewhere,
    group: createGroupCommit(database),
    insert: (note: string, parent: string | null = null) => insert.run(note, parent).changes,
    /** The committed rows, read through another connection. */
    committed: () => select.all().map(({ note }) => note),
  };
}

const outcomes = async (promises: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status);

test('writes in one turn of the event loop share a transaction and keep their order', async () => {
  const { database, group, insert, committed } = openNotes();
  const exec = vi.spyOn(database, 'exec');
  const answers = await Promise.all(['c', 'a', 'b'].map((note) => group.write(() => `${note}: ${insert(note)}`)));
  expect(answers).toEqual(['c: 1', 'a: 1', 'b: 1']);
  expect(committed()).toEqual(['c', 'a', 'b']);
  expect(exec.mock.calls.flat()).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  await group.write(() => insert('d'));
  expect(exec).toHaveBeenCalledTimes(4);
});

test('a write resolves only after other connections can read it', async () => {
  const { group, insert, committed } = openNotes();
  const notes = Array.from({ length: 20 }, (_, n) => `note ${n}`);
  const seen = notes.map(async (note) => {
    await group.write(() => insert(note));
    return committed().includes(note);
  });
  expect(committed()).toEqual([]);
  expect(await Promise.all(seen)).toEqual(notes.map(() => true));
});

test('a failed write does not affect other writes and leaves nothing behind', async () => {
  const { group, insert, committed } = openNotes();
  const pieces = [
    group.write(() => insert('a')),
    group.write(() => {
      insert('half of a piece');
      insert('a');
    }),
    group.write(() => insert('b')),
  ];
  expect(await outcomes(pieces)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(committed()).toEqual(['a', 'b']);
});

test('a write runs its statements once, and once more after another write of the group has failed', async () => {
  const { database, group, insert } = openNotes();
  const exec = vi.spyOn(database, 'exec');
  const done = vi.fn((note: string) => insert(note));
  const write = (...notes: string[]) => Promise.allSettled(notes.map((note) => group.write(() => done(note))));
  await write('a', 'b');
  expect(done.mock.calls.flat()).toEqual(['a', 'b']);
  done.mockClear();
  await write('c', 'a', 'd');
  expect(done.mock.calls.flat()).toEqual(['c', 'a', 'c', 'a', 'd']);
  expect(exec.mock.calls.flat().filter((statement) => statement === 'COMMIT')).toHaveLength(2);
});

test('a write to a locked file is not retried', async () => {
  const { database, elsewhere, group, insert, committed } = openNotes();
  elsewhere.exec('BEGIN IMMEDIATE');
  const exec = vi.spyOn(database, 'exec');
  expect(await outcomes([group.write(() => insert('a')), group.write(() => insert('b'))])).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(exec.mock.calls.flat()).toEqual(['BEGIN IMMEDIATE']);
  elsewhere.exec('COMMIT');
  await group.write(() => insert('c'));
  expect(committed()).toEqual(['c']);
});

test('a failed transaction fails all its writes, but not later ones', async () => {
  const { group, insert, committed } = openNotes();
  const pieces = [
    group.write(() => insert('a')),
    group.write(() => insert('orphan', 'nobody')),
    group.write(() => insert('b')),
  ];
  expect(await outcomes(pieces)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(committed()).toEqual([]);
  await group.write(() => insert('c'));
  expect(committed()).toEqual(['c']);
});

test('a full disk loses no resolved write', async () => {
  const { database, group, insert, committed } = openNotes();
  const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
  database.exec(`PRAGMA max_page_count = ${pages + 3}`);
  const notes = Array.from({ length: 10 }, (_, n) => `${n} ${'x'.repeat(3_000)}`);
  const results = await outcomes(notes.map((note) => group.write(() => insert(note))));
  expect(results).toContain('rejected');
  expect(committed()).toEqual(notes.filter((_, n) => results[n] === 'fulfilled'));
  database.exec(`PRAGMA max_page_count = ${pages + 100}`);
  await group.write(() => insert('room again'));
  expect(committed()).toContain('room again');
});

test('a flush commits pending writes once', async () => {
  const { database, group, insert, committed } = openNotes();
  const piece = group.write(() => insert('a'));
  group.flush();
  expect(committed()).toEqual(['a']);
  database.close();
  await piece;
  await expect(group.write(() => insert('b'))).rejects.toThrow();
});

describe('the index of what waits', () => {
  const queue = 'channel/T1/C1';
  const other = 'channel/T1/C2';

  function open(dataDir = temporaryDirectory()) {
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    onTestFinished(() => storage.close().catch(() => {}));
    const waiting = async (name: string) => namesOf(await storage.outbox.waiting(name, { limit: 10 }));
    return { dataDir, storage, outbox: storage.outbox, waiting };
  }

  /** The file takes no entry without a time, which is noticed only when it is put there. */
  const refused = (name: string) => queueEntry({ name, queue: other, at: Number.NaN });

  test('what could not be put into the file does not wait, and what was put beside it waits once', async () => {
    const { outbox, waiting } = open();
    await outbox.put([queueEntry({ name: 'before', queue })]);
    const puts = await Promise.allSettled([
      outbox.put([queueEntry({ name: 'beside', queue })]),
      outbox.put([queueEntry({ name: 'with it', queue }), refused('refused')]),
      outbox.put([queueEntry({ name: 'after', queue })]),
    ]);
    expect(puts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([await waiting(queue), await waiting(other)]).toEqual([['before', 'beside', 'after'], []]);
    expect(await outbox.queues()).toEqual([{ queue, waiting: 3, oldestAt: 1_000 }]);
  });

  test('a step that could not be kept takes nothing out and makes nothing busy', async () => {
    const { outbox, waiting } = open();
    await outbox.put([queueEntry({ name: 'a', queue })]);
    const [first] = await outbox.waiting(queue, { limit: 1 });
    const change = { version: 0, state: {}, isBusy: true, remove: [first!.position] };
    await expect(outbox.commit(queue, { ...change, put: [refused('b')] })).rejects.toThrow(/NOT NULL/);
    expect([await waiting(queue), await waiting(other)]).toEqual([['a'], []]);
    expect(await outbox.queues()).toEqual([{ queue, waiting: 1, oldestAt: 1_000 }]);
    expect(await outbox.commit(queue, { ...change, version: 3 })).toBe(false);
    expect(await outbox.queues()).toEqual([{ queue, waiting: 1, oldestAt: 1_000 }]);
  });

  test('what waits and what is busy is known after a restart', async () => {
    const before = open();
    await before.outbox.put([
      queueEntry({ name: 'a', queue, at: 3_000 }),
      queueEntry({ name: 'b', queue, at: 2_000 }),
      queueEntry({ name: 'c', queue: other, at: 1_000 }),
    ]);
    await before.outbox.commit('batch/T1/b-1', { version: 0, state: {}, isBusy: true });
    await before.storage.close();
    const { outbox, waiting } = open(before.dataDir);
    expect(await outbox.queues()).toEqual([
      { queue, waiting: 2, oldestAt: 2_000 },
      { queue: other, waiting: 1, oldestAt: 1_000 },
      { queue: 'batch/T1/b-1', waiting: 0, oldestAt: undefined },
    ]);
    expect([await waiting(queue), await waiting(other)]).toEqual([['a', 'b'], ['c']]);
  });
});
