import { closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { queueEntry, namesOf, subscription } from '../../support/builders/alerts.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { createHandTimers } from '../../support/virtual-clock.ts';
import { newEvent } from '../../support/event.ts';
import { checksOf } from '../../support/open-stores.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { eventually } from '../../support/watchdog.ts';

function open(dataDir = temporaryDirectory()) {
  const errors: unknown[] = [];
  const timers = createHandTimers();
  const storage = openSqliteStorage(dataDir, {
    now: Date.now,
    setTimer: timers.setTimer,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => storage.close().catch(() => {}));
  return { storage, errors, timers, dataDir, file: join(dataDir, 'invigilator.sqlite') };
}

/** Overwrites all pages but the first ones, which have the names of the tables. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+');
  const size = statSync(file).size;
  writeSync(descriptor, Buffer.alloc(size - 8 * 4096, 0xa5), 0, size - 8 * 4096, 8 * 4096);
  closeSync(descriptor);
}

async function filled() {
  const opened = open();
  for (let n = 0; n < 2_000; n += 1) void opened.storage.inbox.take(newEvent({ id: `event ${n}` }));
  await opened.storage.inbox.take(newEvent({ id: 'last' }));
  return opened;
}

test('a damaged file is refused at the start, with what to do', async () => {
  const { storage, dataDir, file } = await filled();
  await storage.close();
  damage(file);
  expect(() => open(dataDir)).toThrow(/invigilator\.sqlite is damaged .*restore a backup/);
});

test('damage that a webhook finds makes the store unusable, and is reported once', async () => {
  const { storage, errors, file } = await filled();
  await storage.ping();
  const other = new DatabaseSync(file);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  damage(file);
  await eventually(async () => {
    await storage.inbox.take(newEvent({ id: crypto.randomUUID() })).catch(() => {});
    await expect(storage.inbox.knownIds(Array.from({ length: 2_000 }, (_, n) => `event ${n}`))).rejects.toThrow(
      /damaged/,
    );
  });
  await expect(storage.ping()).rejects.toMatchObject({ code: 'store_damaged' });
  expect(errors.filter((error) => String(error).includes('restore a backup'))).toHaveLength(1);
});

test('what waits and cannot be read is set aside, and what is behind it goes on', async () => {
  const { storage, errors, file } = open();
  await storage.outbox.put([queueEntry({ name: 'one' }), queueEntry({ name: 'two' })]);
  const other = new DatabaseSync(file);
  other.exec("UPDATE queue_entries SET content = '{' WHERE position = (SELECT min(position) FROM queue_entries)");
  other.close();
  const { queue } = queueEntry({});
  expect(namesOf(await storage.outbox.waiting(queue, { limit: 10 }))).toEqual(['two']);
  await expect.poll(async () => (await storage.outbox.queues()).map(({ waiting }) => waiting)).toEqual([1]);
  expect(errors).toHaveLength(1);
});

test('a state, a subscription and a request that cannot be read are set aside, and the others are read', async () => {
  const { storage, errors, file } = open();
  const { queue } = queueEntry({});
  await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: true });
  for (const id of ['s-1', 's-2', 's-3']) await storage.subscriptions.add(subscription({ id }));
  const request = (id: string) => approvalRequest({ id, requesterId: `U-${id}` });
  for (const id of ['r-1', 'r-2']) await storage.approvals.add(request(id));
  const { teamId } = subscription();
  const other = new DatabaseSync(file);
  other.exec(
    `UPDATE queue_states SET state = '{' WHERE queue IN ('${queue}', 'request/${request('r-1').teamId}/r-1'); UPDATE queue_state_parts SET content = '{' WHERE part < 2`,
  );
  expect(await storage.outbox.stateOf(queue)).toEqual({ version: 0, state: undefined });
  expect(await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: false })).toBe(true);
  expect((await storage.subscriptions.all(teamId)).map(({ id }) => id)).toEqual(['s-3']);
  expect(await storage.approvals.addUnlessOpen(request('r-3'))).toBeUndefined();
  expect(await storage.approvals.byId(request('r-1').teamId, 'r-1')).toBeUndefined();
  expect((await storage.approvals.pending(request('r-1').teamId)).map(({ id }) => id)).toEqual(['r-2', 'r-3']);
  const aside = () =>
    other
      .prepare("SELECT key FROM keyed_values WHERE key LIKE 'unreadable:%' ORDER BY key")
      .all()
      .map(({ key }) => key);
  await expect
    .poll(aside)
    .toEqual([
      `unreadable:queue_state_parts/subscriptions/${teamId}/0`,
      `unreadable:queue_state_parts/subscriptions/${teamId}/1`,
      `unreadable:queue_states/${queue}`,
      `unreadable:queue_states/request/${request('r-1').teamId}/r-1`,
    ]);
  other.close();
  expect(new Set(errors.map(String)).size).toBe(4);
});

test('a part of a state that cannot be read is set aside, and the others are read', async () => {
  const { storage, errors, file } = open();
  const { queue } = queueEntry({});
  const parts = { count: 3, changed: new Map(['a', 'b', 'c'].entries()) };
  await storage.outbox.commit(queue, { version: 0, state: 'whole', isBusy: true, parts });
  const other = new DatabaseSync(file);
  other.exec("UPDATE queue_state_parts SET content = '{' WHERE part = 1");
  const left = [
    [0, 'a'],
    [2, 'c'],
  ];
  expect([...(await storage.outbox.stateWithParts(queue)).parts]).toEqual(left);
  await expect
    .poll(() => other.prepare("SELECT key FROM keyed_values WHERE key LIKE 'unreadable:%'").all())
    .toEqual([{ key: `unreadable:queue_state_parts/${queue}/1` }]);
  other.close();
  expect(await storage.outbox.stateWithParts(queue)).toEqual({
    version: 1,
    state: 'whole',
    parts: new Map(left as never),
  });
  expect(errors).toHaveLength(1);
});

test('a deleted lock is noticed within seconds, writes are refused, and no second bot gets the folder', async () => {
  const { storage, timers, errors, dataDir } = open();
  await storage.open();
  rmSync(join(dataDir, 'lock.sqlite'));
  timers.fire(2_000);
  expect(errors.map(String).join()).toContain('lock.sqlite was deleted');
  await expect(storage.inbox.take(newEvent({ id: 'a' }))).rejects.toMatchObject({ code: 'store_deleted' });
  const second = open(dataDir);
  await expect(second.storage.open()).rejects.toMatchObject({
    code: process.platform === 'linux' ? 'data_dir_in_use' : 'none',
  });
});

test('events are forgotten in slices, between which webhooks are taken, and the log of writes stays small', async () => {
  const { storage, dataDir, file } = open();
  await storage.close();
  const database = new DatabaseSync(file);
  database.exec(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO known_events SELECT hex(randomblob(16)), NULL, 0, 1, NULL FROM n',
  );
  database.close();
  const again = open(dataDir).storage;
  let isForgotten = false;
  const forgetting = again.inbox.forgetBefore(Date.now()).then(() => (isForgotten = true));
  for (let n = 0; n < 50; n += 1) await again.inbox.take(newEvent({ id: `during ${n}` }));
  expect(isForgotten).toBe(false);
  await forgetting;
  await again.inbox.forgetBefore(2);
  await again.inbox.forgetBefore(2);
  expect(statSync(`${file}-wal`).size).toBeLessThan(2 * 1024 * 1024);
  const reader = new DatabaseSync(file, { readOnly: true });
  expect(reader.prepare('SELECT count(*) AS count FROM known_events').get()?.['count']).toBeLessThanOrEqual(50);
  reader.close();
});

test('a backup that lacks what was accepted a moment later is told, also after a kill', async () => {
  for (const end of ['stopped', 'killed']) {
    const { storage, dataDir, file, timers } = open();
    await storage.open();
    const backup = join(temporaryDirectory(), 'backup');
    new DatabaseSync(file).exec(`VACUUM INTO '${backup}'`);
    await storage.inbox.take(newEvent({ id: 'after the backup' }));
    const kept = temporaryDirectory();
    const known = join(dataDir, 'known-store.json');
    const before = readFileSync(known, 'utf8');
    if (end === 'stopped') await storage.close();
    else timers.fire(2_000);
    await eventually(() => expect(readFileSync(known, 'utf8')).not.toBe(before));
    copyFileSync(known, join(kept, 'known-store.json'));
    copyFileSync(backup, join(kept, 'invigilator.sqlite'));
    const after = open(kept).storage;
    await after.open();
    expect(after.content.loss()).toMatchObject({ kind: 'older' });
  }
});

test('a store that lost its content while the bot was stopped is noticed at the next start', async () => {
  const { storage, dataDir, file } = open();
  await storage.open();
  await storage.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const after = open(dataDir).storage;
  await after.open();
  expect(after.content.loss()).toMatchObject({ kind: 'replaced' });
  const content = (await checksOf(after)).find(({ name }) => name === 'storeContent');
  expect(await content!.look()).toMatchObject({ code: 'store_content_lost', effect: 'stops' });
});

const files = ['invigilator.sqlite', 'invigilator.sqlite-wal', 'invigilator.sqlite-shm'];
const deleted = { code: 'store_deleted' };

async function openWritten() {
  const { dataDir, ...opened } = open();
  await opened.storage.open();
  await opened.storage.kv('plans').set('key', 1);
  await opened.storage.ping();
  return { ...opened, path: (name: string) => join(dataDir, name) };
}

test.each(files)('a store whose %s was deleted refuses every write, is not ready, and has no figures', async (name) => {
  const { storage, path } = await openWritten();
  rmSync(path(name));
  await expect(storage.inbox.take(newEvent({ id: 'late' }))).rejects.toMatchObject(deleted);
  await expect(storage.kv('plans').set('key', 2)).rejects.toMatchObject(deleted);
  await expect(storage.counters.add('webhooks', { taken: 1 })).rejects.toMatchObject(deleted);
  await expect(
    storage.audit.append('T1', { at: 1, correlationId: 'c', operation: 'o', action: 'done', through: 'command' }),
  ).rejects.toMatchObject(deleted);
  await expect(storage.ping()).rejects.toMatchObject(deleted);
  await expect(storage.outbox.queues()).rejects.toMatchObject(deleted);
});

test('a file that was put in the place of the open one does not count, the file itself does', async () => {
  const { storage, path } = await openWritten();
  renameSync(path('invigilator.sqlite'), path('aside'));
  copyFileSync(path('aside'), path('invigilator.sqlite'));
  await expect(storage.ping()).rejects.toMatchObject(deleted);
  renameSync(path('aside'), path('invigilator.sqlite'));
  await storage.ping();
});

test('deleted files are reported within seconds while nothing is written', async () => {
  const { timers, errors, path } = await openWritten();
  expect(Math.min(...timers.pending())).toBeLessThan(5_000);
  timers.fire(2_000);
  expect(errors).toEqual([]);
  for (const name of files) rmSync(path(name));
  timers.fire(2_000);
  expect(errors).toEqual([
    expect.objectContaining({
      ...deleted,
      message: expect.stringContaining('invigilator.sqlite was deleted or replaced while the bot runs'),
    }),
  ]);
});

test('a start without the database in a folder that a bot has used is reported', async () => {
  const dataDir = temporaryDirectory();
  const start = async () => {
    const { storage, errors } = open(dataDir);
    await storage.close();
    return errors;
  };
  await start();
  expect(await start()).toEqual([]);
  rmSync(join(dataDir, 'invigilator.sqlite'));
  expect(await start()).toEqual([
    expect.objectContaining({ message: expect.stringContaining('the bot begins with an empty store') }),
  ]);
});
