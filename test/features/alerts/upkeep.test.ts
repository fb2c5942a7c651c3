import { expect, test } from 'vitest';
import { createUpkeep } from '../../../src/features/alerts/upkeep.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { queueEntry, subscription } from '../../support/builders/alerts.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';

const now = Date.UTC(2026, 10, 21, 8);
const dayMs = 24 * 3_600_000;

function setUp(...subscriptions: Subscription[]) {
  const outbox = createMemoryOutbox();
  const metrics = createMetrics();
  const { log, lines } = recordingLog();
  const did: string[] = [];
  const upkeep = createUpkeep({
    notifiesRespondents: true,
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
    log,
    metrics,
    now: () => now,
    steadyNow: () => now,
  });
  const dropped = async () => (await metrics.alerts.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  return { upkeep, did, outbox, dropped, lines };
}

test('upkeep wakes what looks for work by itself', async () => {
  const { upkeep, did } = setUp(
    subscription(),
    subscription({ id: 's-2', delivery: { kind: 'digest', every: 'hour' } }),
  );
  await upkeep();
  expect(did).toEqual([
    'wake inbox',
    'wake backfill',
    'load subscriptions',
    'wake digest/T1/s-2',
    'wake pauses',
    `forget events before ${-30 * dayMs}`,
  ]);
});

test('upkeep drops what has waited for a paused subscription for seven days', async () => {
  const paused = { since: 0, until: null, by: 'U1' };
  const { upkeep, outbox, dropped, lines } = setUp(
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
  await upkeep();
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
