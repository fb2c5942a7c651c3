import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { newEvent } from '../../support/new-event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const old = 5_000;

test('forgets old events in slices, between which webhooks are taken, and keeps the WAL small', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { ...systemClock, onError: () => {} });
  onTestFinished(() => storage.close());
  await storage.open();
  // Scattered, as the ids of the service are.
  await Promise.all(Array.from({ length: old }, (_, n) => storage.inbox.take(newEvent({ id: `${(n * 7_919) % old}-old`, subject: `q/${n}`, takenAt: 1, content: undefined }))));
  const known = async () => (await storage.inbox.knownIds(Array.from({ length: old }, (_, n) => `${n}-old`))).size;
  expect(await known()).toBe(old);

  let isOver = false;
  const forgetting = storage.inbox.forgetBefore(1_000).then(() => (isOver = true));
  let taken = 0;
  let walBytes = 0;
  for (; !isOver; taken += 1) {
    await storage.inbox.take(newEvent({ id: `new-${taken}`, subject: `n/${taken}`, takenAt: 2_000, content: undefined }));
    walBytes = Math.max(walBytes, statSync(join(dataDir, 'invigilator.sqlite-wal')).size);
  }
  await forgetting;
  expect(await known()).toBe(0);
  expect(taken).toBeGreaterThan(old / 100);
  expect(walBytes).toBeLessThan(2 * 2 ** 20);
});
