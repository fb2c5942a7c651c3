import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { createHandTimers } from '../../support/virtual-clock.ts';
import { newEvent } from '../../support/event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const files = ['invigilator.sqlite', 'invigilator.sqlite-wal', 'invigilator.sqlite-shm'];
const deleted = { code: 'store_deleted' };

async function open() {
  const dataDir = temporaryDirectory();
  const timers = createHandTimers();
  const errors: unknown[] = [];
  const storage = openSqliteStorage(dataDir, {
    now: Date.now,
    setTimer: timers.setTimer,
    onError: (error) => errors.push(error),
  });
  await storage.open();
  onTestFinished(() => storage.close());
  await storage.kv('plans').set('key', 1);
  await storage.ping();
  return { dataDir, storage, timers, errors, path: (name: string) => join(dataDir, name) };
}

test.each(files)('a store whose %s was deleted refuses every write, is not ready, and has no figures', async (name) => {
  const { storage, path } = await open();
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
  const { storage, path } = await open();
  renameSync(path('invigilator.sqlite'), path('aside'));
  copyFileSync(path('aside'), path('invigilator.sqlite'));
  await expect(storage.ping()).rejects.toMatchObject(deleted);
  renameSync(path('aside'), path('invigilator.sqlite'));
  await storage.ping();
});

test('deleted files are reported within seconds while nothing is written', async () => {
  const { timers, errors, path } = await open();
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
  const errors: unknown[] = [];
  const start = async () =>
    openSqliteStorage(dataDir, { now: Date.now, onError: (error) => errors.push(error) }).close();
  await start();
  await start();
  expect(errors).toEqual([]);
  rmSync(join(dataDir, 'invigilator.sqlite'));
  await start();
  expect(errors).toEqual([
    expect.objectContaining({ message: expect.stringContaining('the bot begins with an empty store') }),
  ]);
});
