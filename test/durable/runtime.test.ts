import { expect, test } from 'vitest';
import type { Machine, View } from '../../src/durable/machine.ts';
import { createRuntime } from '../../src/durable/runtime.ts';
import { queueEntry } from '../support/builders/alerts.ts';
import { createMemoryMail } from '../support/memory-mail.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';

const now = Date.UTC(2026, 10, 21, 8);
const queue = 'channel/T1/C7';
type State = 'under way' | 'over';
type DeedMachine = Machine<State, 'deed', 'answer'>;

/** A machine with a deed that takes its mail when it begins. The store, the deed and the look each take some time. */
function setUp(tookMs: { store?: number; deed?: number; look?: number }) {
  const clock = { now };
  const outbox = createMemoryOutbox(() => clock.now);
  const did: string[] = [];
  const settled: (View<State> & { answer: string | undefined })[] = [];
  const machine: DeedMachine = {
    mailAtMost: 10,
    isBusy: (state) => state === 'under way',
    step: ({ state, mail }) =>
      state === 'under way'
        ? { kind: 'look', deed: 'deed' }
        : {
            kind: 'do',
            deed: 'deed',
            keep: { kind: 'keep', state: 'under way', take: mail.slice(0, 1).map(({ position }) => position) },
          },
    deeds: {
      async do() {
        did.push('deed');
        clock.now += tookMs.deed ?? 0;
        return 'answer';
      },
      async look() {
        did.push('look');
        clock.now += tookMs.look ?? 0;
        return undefined;
      },
      settle(_, answer, view) {
        settled.push({ ...view, answer });
        return { kind: 'keep', state: 'over' };
      },
    },
  };
  const runtime = createRuntime({
    outbox: {
      ...outbox,
      async commit(...change) {
        clock.now += tookMs.store ?? 0;
        return outbox.commit(...change);
      },
    },
    mail: createMemoryMail(outbox),
    now: () => clock.now,
  });
  return { outbox, did, settled, run: runtime(machine) };
}

test('a deed is done right after it is kept', async () => {
  const { run, did, settled } = setUp({ store: 1_999, deed: 300 });
  await run(queue);
  expect(did).toEqual(['deed']);
  expect(settled).toMatchObject([{ answer: 'answer', now: now + 2_299 }]);
});

test('a deed that was kept too slowly is looked for: others can have looked for it already', async () => {
  const { run, did } = setUp({ store: 2_000 });
  expect(await run(queue)).toBe(now + 2_000);
  expect(did).toEqual([]);
  await run(queue);
  expect(did).toEqual(['look']);
});

test('a look that found nothing is settled at the time at which it began', async () => {
  const { run, outbox, settled } = setUp({ look: 5_000 });
  await outbox.commit(queue, { version: 0, state: 'under way', isBusy: true });
  await run(queue);
  expect(settled).toMatchObject([{ answer: undefined, now }]);
});

test('mail that was taken out when a deed began does not wait any more when it is settled', async () => {
  const { run, outbox, settled } = setUp({});
  outbox.putNow([queueEntry({ queue }), queueEntry({ queue })]);
  await run(queue);
  expect(settled.map(({ mail }) => mail)).toEqual([await outbox.waiting(queue, { limit: 10 })]);
  expect(settled[0]?.mail).toHaveLength(1);
});

test('mail that a resting machine puts is there, and nothing is kept', async () => {
  const outbox = createMemoryOutbox(() => now);
  const entry = queueEntry({ queue: 'live/T1/board' });
  const resting: Machine<State> = {
    mailAtMost: 10,
    isBusy: () => false,
    step: () => ({ kind: 'rest', until: now + 5, put: [entry] }),
  };
  const run = createRuntime({ outbox, mail: createMemoryMail(outbox), now: () => now })(resting);
  expect(await run(queue)).toBe(now + 5);
  expect(await outbox.waiting('live/T1/board', { limit: 10 })).toHaveLength(1);
  expect(await outbox.versionOf(queue)).toBe(0);
});
