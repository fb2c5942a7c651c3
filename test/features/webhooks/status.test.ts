import { expect, test } from 'vitest';
import { alertsStatus } from '../../../src/features/webhooks/tally.ts';
import { inboxMail } from '../../../src/features/webhooks/take.ts';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import type { AlertsStatus, SetAsideEvent } from '../../../src/domain/alerts-status.ts';
import { queueEntry, subscription } from '../../support/builders/alerts.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { hintEvent } from '../../support/new-event.ts';

const now = Date.UTC(2026, 10, 21, 8);

async function statusOf(options: {
  setAside?: SetAsideEvent[];
  counters?: Record<string, number>;
  entries?: NewQueueEntry[];
  pauses?: (number | null)[];
  hints?: string[];
}): Promise<AlertsStatus> {
  const outbox = createMemoryOutbox();
  const subscriptions = (options.pauses ?? []).map((until) => subscription({ pause: { since: 0, until, by: 'U1' } }));
  outbox.putNow(options.entries ?? []);
  outbox.putNow((options.hints ?? []).map((id) => inboxMail.entry('inbox', hintEvent({ id }), now)));
  const tries = { 'e-2': { count: 1, since: now, dueAt: now } };
  await outbox.commit('inbox', { version: 0, state: { tries }, isBusy: false });
  return alertsStatus({
    outbox,
    counters: { of: async (name) => (name === 'webhooks' ? (options.counters ?? {}) : {}) },
    refusals: { get: async () => undefined },
    setAside: { get: async () => options.setAside },
    quizName: async (quizId) => (quizId === 'q-1' ? 'Fire safety' : undefined),
    subscriptions: async () => [subscription(), ...subscriptions],
    now: () => now,
  });
}

test('the status of alerts counts refusals by reason, the most frequent first', async () => {
  const counters = {
    since: 1,
    lastAt: 2,
    taken: 5,
    known: 3,
    backfilled: 4,
    'refused: malformed': 1,
    'refused: the signature does not match': 7,
    lastRefusedAt: 3,
  };
  expect((await statusOf({ counters })).webhooks).toEqual({
    since: 1,
    lastAt: 2,
    taken: 5,
    backfilled: 4,
    lastRefusedAt: 3,
    refusedSignatures: [],
    setAside: { count: 0, events: [] },
    refused: [
      { reason: 'the signature does not match', count: 7 },
      { reason: 'malformed', count: 1 },
    ],
  });
});

test('the status of alerts has the events that were set aside, with the names of their quizzes', async () => {
  const event = { quizId: 'q-1', responseId: 'r-1', quizName: null, name: null, since: 4 };
  const setAside = [event, { ...event, quizId: 'q-2' }, { ...event, quizName: 'As it was announced' }];
  const { webhooks } = await statusOf({ counters: { setAside: 7 }, setAside });
  expect(webhooks.setAside.count).toBe(7);
  expect(webhooks.setAside.events.map(({ quizName }) => quizName)).toEqual([
    'Fire safety',
    null,
    'As it was announced',
  ]);
});

test('the status of alerts counts what waits for channels, not what is collected for digests', async () => {
  const waiting: [string, number][] = [
    ['channel/T1/C1', 30],
    ['channel/T1/C1', 40],
    ['channel/T1/C2', 20],
    ['digest/T1/s-1', 10],
  ];
  const entries = waiting.map(([queue, at]) => queueEntry({ queue, at }));
  const hints = ['e-1', 'e-2', 'e-3'];
  const counts = { events: 2, postponed: 1, waiting: 3, channels: 2, oldestAt: 20 };
  expect(await statusOf({ entries, hints })).toMatchObject(counts);
});

test('the status of alerts takes a pause that is over for none', async () => {
  expect(await statusOf({ pauses: [null, now + 1, now] })).toMatchObject({ subscriptions: 4, paused: 2 });
});
