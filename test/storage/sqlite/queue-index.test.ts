import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { namesOf, queueEntry } from '../../support/builders/alerts.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

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
