import { expect, test, beforeEach, describe } from 'vitest';
import { liveMachine } from '../../src/features/delivery/live-messages.ts';
import { personMachine } from '../../src/features/delivery/person-machine.ts';
import { batchMachine } from '../../src/features/batches/batch-machine.ts';
import { campaignMachine } from '../../src/features/campaigns/campaign-machine.ts';
import { createSweep, createOverdue, type Overdue } from '../../src/durable/runtime.ts';
import { stepMachine } from '../../src/features/workflows/step-machine.ts';
import { queueEntry } from '../support/builders/alerts.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';
import { createCoalescing } from '../../src/durable/mail.ts';

const now = Date.UTC(2026, 10, 21, 8);
const dayMs = 24 * 3_600_000;
const retentionMs = 3 * 366 * dayMs;
const none = {} as never;
const machines = {
  person: personMachine(none),
  step: stepMachine(none),
  batch: batchMachine(none),
  campaign: campaignMachine({ retentionMs } as never),
  live: liveMachine({ retentionMs } as never),
  channel: {},
};

function setUp() {
  const clock = { changedAt: now, now };
  const outbox = createMemoryOutbox(() => clock.changedAt);
  const did: string[] = [];
  const sweep = createSweep({
    outbox,
    machines,
    upkeep: async () => void did.push('upkeep'),
    wake: async (queue) => void did.push(`wake ${queue}`),
    now: () => clock.now,
    steadyNow: () => clock.now,
  });
  const commitAt = async (queue: string, daysAgo: number) => {
    clock.changedAt = now - daysAgo * dayMs;
    await outbox.commit(queue, { version: 0, state: {}, isBusy: false });
  };
  return { outbox, did, sweep, commitAt, clock };
}

test('a sweep wakes what can have something to do, and comes again after 30 seconds', async () => {
  const { sweep, did, outbox } = setUp();
  outbox.putNow([queueEntry({ queue: 'channel/T1/C7' })]);
  await outbox.commit('batch/T1/b-1', { version: 0, state: {}, isBusy: true });
  await outbox.commit('batch/T1/b-2', { version: 0, state: {}, isBusy: false });
  expect(await sweep()).toBe(now + 30_000);
  expect(did).toEqual(['upkeep', 'wake channel/T1/C7', 'wake batch/T1/b-1']);
});

test('a sweep forgets what mailboxes at rest have kept for long, and keeps that of channels', async () => {
  const { sweep, outbox, commitAt } = setUp();
  const keptDays = { person: 30, step: 210, batch: 60, campaign: 3 * 366, live: 3 * 366 };
  for (const [kind, days] of Object.entries(keptDays)) {
    await commitAt(`${kind}/T1/old`, days + 1);
    await commitAt(`${kind}/T1/new`, days - 1);
  }
  const forGood = ['channel/T1/C1', 'digest/T1/s-1', 'waits/T1/1', 'campaigns/T1', 'backfill'];
  for (const queue of forGood) await commitAt(queue, 4_000);
  await sweep();
  const isKnown = async (queue: string) => (await outbox.versionOf(queue)) > 0;
  for (const kind of Object.keys(keptDays))
    expect([kind, await isKnown(`${kind}/T1/old`), await isKnown(`${kind}/T1/new`)]).toEqual([kind, false, true]);
  for (const queue of forGood) expect([queue, await isKnown(queue)]).toEqual([queue, true]);
});

test('a sweep looks for what can be forgotten every ten minutes', async () => {
  const { sweep, outbox, commitAt, clock } = setUp();
  await sweep();
  await commitAt('step/T1/old', 211);
  await sweep();
  expect(await outbox.versionOf('step/T1/old')).toBe(1);
  clock.now += 10 * 60_000;
  await sweep();
  expect(await outbox.versionOf('step/T1/old')).toBe(0);
});

const start = Date.parse('2026-11-02T08:00:00Z');
const [minute, hour] = [60_000, 3_600_000];
const batch = 'batch/T1/1';
const busy = (queue: string, oldestAt?: number) => ({ queue, oldestAt });

describe('what is overdue', () => {
  let time = start;
  let overdue: Overdue;

  beforeEach(() => {
    time = start;
    overdue = createOverdue({ kinds: ['batch', 'campaign'], now: () => time });
  });

  test('is nothing while each mailbox runs when it is due', () => {
    for (let run = 0; run < 100; run += 1, time += minute) {
      overdue.ran(batch, time + minute, false);
      expect(overdue.sinceByKind([busy(batch)])).toEqual({ batch: undefined, campaign: undefined });
    }
  });

  test('begins when the next run is due and does not come', () => {
    overdue.ran(batch, start + hour, false);
    time += hour - 1;
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBeUndefined();
    time += 2 * hour;
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(start + hour);
  });

  test('begins with the first run that could not do its work, and ends with one that could', () => {
    for (let run = 0; run < 10; run += 1, time += minute) overdue.ran(batch, time + minute, true);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(start);
    overdue.ran(batch, time + minute, false);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBeUndefined();
  });

  test('is what came and nobody took, also in a mailbox that never ran', () => {
    time += hour;
    overdue.ran('campaign/T1/1', undefined, false);
    expect(overdue.sinceByKind([busy('campaign/T1/1')])['campaign']).toBeUndefined();
    expect(overdue.sinceByKind([busy('campaign/T1/1', time - minute)])['campaign']).toBe(time - minute);
    expect(overdue.sinceByKind([busy('campaign/T1/2', start - hour)])['campaign']).toBe(start - hour);
  });

  test('is counted from the start of the process for what did not run since, and the oldest of a kind counts', () => {
    time += hour;
    overdue.ran(batch, time - minute, false);
    expect(overdue.sinceByKind([busy(batch), busy('batch/T1/2')])['batch']).toBe(start);
  });

  test('ends with the mailbox: one that begins again is as new', () => {
    overdue.ran(batch, start, true);
    expect(overdue.sinceByKind([])['batch']).toBeUndefined();
    time += hour;
    overdue.ran(batch, time + minute, true);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(time);
  });

  test('are only the kinds that are watched', () => {
    overdue.ran('channel/T1/C1', start, false);
    time += hour;
    expect(overdue.sinceByKind([busy('channel/T1/C1', start)])).toEqual({ batch: undefined, campaign: undefined });
  });
});

function openCoalescing() {
  const acts: PromiseWithResolvers<void>[] = [];
  const collected: string[][] = [];
  const pauses: number[] = [];
  const call = createCoalescing(
    async (items: ReadonlySet<string>) => {
      collected.push([...items]);
      const act = Promise.withResolvers<void>();
      acts.push(act);
      await act.promise;
    },
    50,
    async (ms) => void pauses.push(ms),
  );
  const end = async () => {
    acts.at(-1)!.resolve();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { acts, collected, pauses, call, end };
}

test('the first item is acted on at once, and all that come meanwhile once more, each once', async () => {
  const { acts, collected, pauses, call, end } = openCoalescing();
  call('a');
  expect(acts).toHaveLength(1);
  call('b');
  call('a');
  call('b');
  expect(acts).toHaveLength(1);
  await end();
  expect(acts).toHaveLength(2);
  await end();
  expect(acts).toHaveLength(2);
  expect(pauses).toEqual([]);
  call('c');
  expect(collected).toEqual([['a'], ['b', 'a'], ['c']]);
});

test('where many came, more of them can come before the next', async () => {
  const { acts, pauses, call, end } = openCoalescing();
  call('a');
  for (let count = 0; count < 20; count += 1) call('a');
  await end();
  await end();
  expect([acts.length, pauses]).toEqual([2, [50]]);
});

test.each([
  [4, []],
  [5, [50]],
])('pauses only after more than four calls: %i calls', async (count, expected) => {
  const { pauses, call, end } = openCoalescing();
  call('first');
  for (let n = 0; n < count; n += 1) call(`${n}`);
  await end();
  await end();
  expect(pauses).toEqual(expected);
});
