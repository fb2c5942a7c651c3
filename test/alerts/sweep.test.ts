import { expect, test } from 'vitest';
import { createSweeper } from '../../src/alerts/sweep.ts';
import type { Subscription } from '../../src/domain/subscription.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { queueEntry, subscription } from '../support/builders/alerts.ts';
import { recordingLog } from '../support/log.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';

const now = Date.UTC(2026, 10, 21, 8);
const dayMs = 24 * 3_600_000;
/** When the states of queues change. */
const changedAt = { now };

function setUp(...subscriptions: Subscription[]) {
  const outbox = createMemoryOutbox(() => changedAt.now);
  const metrics = createMetrics();
  const { log, lines } = recordingLog();
  const did: string[] = [];
  const sweep = createSweeper({
    inbox: { forgetBefore: async (time) => void did.push(`forget events before ${time - now}`) },
    outbox,
    wake: async (queue) => void did.push(`wake ${queue}`),
    teamId: async () => 'T1',
    subscriptions: async (teamId) => subscriptions.filter((one) => one.teamId === teamId),
    matcher: {
      match: async () => undefined,
      load: async () => {
        did.push('load subscriptions');
        return { teamId: 'T1', version: 1 };
      },
    },
    notifyOwners: async (teamId) => void did.push(`notify owners in ${teamId}`),
    log,
    metrics,
    now: () => now,
    steadyNow: () => now,
  });
  const dropped = async () => (await metrics.alerts.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  return { sweep, did, outbox, dropped, lines };
}

test('a sweep wakes what can have something to do, and comes again after 30 seconds', async () => {
  const { sweep, did, outbox } = setUp(
    subscription(),
    subscription({ id: 's-2', delivery: { kind: 'digest', every: 'hour' } }),
  );
  outbox.putNow([queueEntry({ queue: 'channel/T1/C7' })]);
  expect(await sweep()).toBe(now + 30_000);
  expect(did).toEqual([
    'wake inbox',
    'wake backfill',
    'load subscriptions',
    'wake digest/T1/s-2',
    'wake channel/T1/C7',
    'notify owners in T1',
    `forget events before ${-30 * dayMs}`,
  ]);
});

test('a sweep drops what has waited for a paused subscription for seven days', async () => {
  const paused = { since: 0, until: null, by: 'U1' };
  const { sweep, outbox, dropped, lines } = setUp(
    subscription(),
    subscription({ id: 's-2', pause: paused }),
    subscription({ id: 's-3', pause: paused }),
    subscription({ id: 's-4', pause: { ...paused, until: now } }),
  );
  const old = now - 7 * dayMs - 1;
  const waiting = [
    ['s-1', old],
    ['s-2', old],
    ['s-2', old],
    ['s-2', old + 1],
    ['s-4', old],
  ] as const;
  outbox.putNow(waiting.map(([subscriptionId, at]) => queueEntry({ subscriptionId, at })));
  await sweep();
  const kept = await outbox.waiting('channel/T1/C1', { limit: 9 });
  expect(kept.map(({ subscriptionId, at }) => [subscriptionId, at])).toEqual([
    ['s-1', old],
    ['s-2', old + 1],
    ['s-4', old],
  ]);
  expect(await dropped()).toEqual([['dropped', 2]]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'warn',
      subscription: 's-2',
      channel: 'C1',
      dropped: 2,
      msg: 'entries that waited for a paused subscription for 7 days are dropped',
    },
  ]);
});

test('a sweep forgets what queues at rest have kept for long, and keeps that of channels', async () => {
  const { sweep, outbox } = setUp();
  const commitAt = async (queue: string, daysAgo: number) => {
    changedAt.now = now - daysAgo * dayMs;
    await outbox.commit(queue, { version: 0, state: {}, isBusy: false });
  };
  for (const [kind, keptDays] of [
    ['person', 30],
    ['step', 30],
    ['batch', 60],
    ['campaign', 366],
    ['live', 366],
  ] as const) {
    await commitAt(`${kind}/T1/old`, keptDays + 1);
    await commitAt(`${kind}/T1/new`, keptDays - 1);
  }
  for (const queue of ['channel/T1/C1', 'digest/T1/s-1', 'waits/T1/1', 'campaigns/T1', 'backfill'])
    await commitAt(queue, 4_000);
  await sweep();
  const known = async (queue: string) => (await outbox.versionOf(queue)) > 0;
  for (const kind of ['person', 'step', 'batch', 'campaign', 'live'])
    expect([kind, await known(`${kind}/T1/old`), await known(`${kind}/T1/new`)]).toEqual([kind, false, true]);
  for (const queue of ['channel/T1/C1', 'digest/T1/s-1', 'waits/T1/1', 'campaigns/T1', 'backfill'])
    expect([queue, await known(queue)]).toEqual([queue, true]);
});
