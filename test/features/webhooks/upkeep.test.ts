import { expect, test, vi } from 'vitest';
import { createUpkeep, createSetAside } from '../../../src/features/webhooks/inbox.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { queueEntry, subscription, submission } from '../../support/builders/alerts.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { countedIn } from '../../support/measurements.ts';
import type { SetAsideEvent } from '../../../src/domain/alerts-status.ts';
import { hintEvent } from '../../support/event.ts';

const now = Date.UTC(2026, 10, 21, 8);
const dayMs = 24 * 3_600_000;

function setUp(...subscriptions: Subscription[]) {
  const outbox = createMemoryOutbox();
  const metrics = createMetrics();
  const { log, lines } = recordingLog();
  const did: string[] = [];
  const state = { now, version: 1, hasOldEvents: false };
  const upkeep = createUpkeep({
    notifiesRespondents: true,
    inbox: {
      async forgetBefore(time) {
        did.push(`forget events before ${time - state.now}`);
        return !state.hasOldEvents;
      },
    },
    outbox,
    wake: async (queue) => void did.push(`wake ${queue}`),
    matcher: { load: async () => ({ teamId: 'T1', version: state.version, subscriptions }) },
    log,
    metrics,
    now: () => state.now,
    steadyNow: () => state.now,
  });
  /** @returns what it did after a time */
  async function after(ms: number): Promise<string[]> {
    state.now += ms;
    did.length = 0;
    await upkeep();
    return [...did];
  }
  const dropped = () => countedIn(metrics.alerts);
  return { upkeep, state, after, outbox, dropped, lines };
}

const forget = `forget events before ${-30 * dayMs}`;
const minuteMs = 60_000;

test('upkeep wakes what looks for submissions at the start, and then every five minutes', async () => {
  const { after } = setUp(subscription());
  expect(await after(0)).toEqual(['wake backfill', forget]);
  expect(await after(4 * minuteMs)).toEqual([]);
  expect(await after(minuteMs)).toEqual(['wake backfill']);
});

test('upkeep wakes what looks for submissions when the subscriptions have changed', async () => {
  const { after, state } = setUp(subscription());
  await after(0);
  state.version = 2;
  expect(await after(0)).toEqual(['wake backfill']);
  expect(await after(0)).toEqual([]);
});

test('upkeep wakes digests, and what notifies the owners of pauses who do not know yet', async () => {
  const pause = { since: now, until: null, by: null, code: 'is_archived' };
  const unnotified = subscription({ id: 's-2', pause: { ...pause, isOwnerNotified: false } });
  const { after } = setUp(subscription({ delivery: { kind: 'digest', every: 'hour' } }), unnotified);
  await after(0);
  expect(await after(0)).toEqual(['wake digest/T1/s-1', 'wake pauses']);
  const { after: afterNotice } = setUp(subscription({ pause: { ...pause, isOwnerNotified: true } }));
  await afterNotice(0);
  expect(await afterNotice(0)).toEqual([]);
});

test('upkeep forgets old events until it has looked at all, and then once an hour', async () => {
  const { after, state } = setUp();
  state.hasOldEvents = true;
  expect(await after(0)).toContain(forget);
  expect(await after(0)).toEqual([forget]);
  state.hasOldEvents = false;
  expect(await after(0)).toEqual([forget]);
  expect(await after(0)).toEqual([]);
  expect(await after(60 * minuteMs)).toContain(forget);
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
  expect(await dropped()).toEqual({ dropped: 2 });
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

function openSetAside() {
  let kept: SetAsideEvent[] | undefined;
  const set = vi.fn(async (_key: 'latest', events: SetAsideEvent[], _ttlMs: number) => void (kept = events));
  const counters = { took: vi.fn() };
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const setAside = createSetAside({ store: { get: async () => kept, set }, counters, log, metrics });
  const hint = (responseId: string) =>
    setAside(
      { ...hintEvent({ id: responseId }), id: `event of ${responseId}` },
      { count: 20, since: 7 },
      new Error('answered 404'),
    );
  return { setAside, hint, set, counters, lines, metrics, kept: () => kept };
}

test('an event that is set aside is kept for administrators, counted and logged once', async () => {
  const { setAside, hint, set, counters, lines, metrics, kept } = openSetAside();
  await hint('r-1');
  await setAside(
    {
      ...hintEvent({ id: 'e-2' }),
      content: { kind: 'submission', submission: submission({ responseId: 'r-2' }) },
    },
    { count: 20, since: 8 },
    new Error('no'),
  );
  expect(kept()).toEqual([
    { quizId: 'q-1', responseId: 'r-2', quizName: 'Fire safety', name: 'Rosa Almeida', since: 8 },
    { quizId: 'q-1', responseId: 'r-1', quizName: null, name: null, since: 7 },
  ]);
  expect(set.mock.lastCall?.[2]).toBe(30 * 24 * 3_600_000);
  expect(counters.took.mock.calls).toEqual([['setAside'], ['setAside']]);
  expect(await countedIn(metrics.webhooks)).toEqual({ set_aside: 2 });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'warn',
      event: 'event of r-1',
      response: 'q-1/r-1',
      tries: 20,
      error: { message: 'answered 404' },
      msg: 'an event is set aside: it failed too often',
    },
    { level: 'warn', event: 'e-2', response: 'q-1/r-2' },
  ]);
  expect(lines.join('')).not.toContain('Rosa');
});

test('only the latest five events that were set aside are kept, each response once', async () => {
  const { hint, kept } = openSetAside();
  for (const id of ['1', '2', '3', '4', '5', '6', '4']) await hint(id);
  expect(kept()?.map(({ responseId }) => responseId)).toEqual(['4', '6', '5', '3', '2']);
});
