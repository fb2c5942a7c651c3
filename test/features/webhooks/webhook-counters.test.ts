import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { alertsStatus, comingHeaders, createWebhookCounters } from '../../../src/features/webhooks/tally.ts';
import type { RefusedSignature, AlertsStatus, SetAsideEvent } from '../../../src/domain/alerts-status.ts';
import type { Counters } from '../../../src/storage/records.ts';
import { recordingLog } from '../../support/log.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';
import { inboxMail } from '../../../src/features/webhooks/take.ts';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import { queueEntry, subscription, submission } from '../../support/builders/alerts.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { hintEvent } from '../../support/event.ts';
import { createUpkeep, createSetAside } from '../../../src/features/webhooks/inbox.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { countedIn } from '../../support/measurements.ts';

const startMs = Date.UTC(2026, 10, 2, 8);

/** Counters that last as long as a test. */
function memoryCounters() {
  const kept: Record<string, number> = {};
  const counters = {
    add: vi.fn<Counters['add']>(async (_, counts) => {
      for (const [field, count] of Object.entries(counts)) kept[field] = (kept[field] ?? 0) + count;
    }),
    raise: vi.fn<Counters['raise']>(async (_, field, value) => {
      kept[field] = Math.max(value, kept[field] ?? 0);
    }),
    of: vi.fn<Counters['of']>(async () => ({ ...kept })),
  };
  const refusals = {
    set: vi.fn<(key: 'latest', refusals: RefusedSignature[], ttlMs: number) => Promise<void>>(async () => {}),
  };
  return { kept, counters, refusals };
}

function setUp(store = memoryCounters(), fromMs = startMs) {
  const clock = createVirtualClock(fromMs);
  const { log, lines } = recordingLog();
  const webhookCounters = createWebhookCounters({
    counters: store.counters,
    refusals: store.refusals,
    now: clock.now,
    everyMs: 5_000,
    sleep: (ms, signal) => clock.sleep(ms, signal).catch(() => {}),
    log,
  });
  webhookCounters.start();
  onTestFinished(() => webhookCounters.stop());
  return { ...store, clock, webhookCounters, lines };
}

describe('webhook counters', () => {
  test('is kept every few seconds, with the time of the last', async () => {
    const { kept, clock, webhookCounters, counters } = setUp();
    await clock.advance(1_000);
    webhookCounters.took('taken');
    webhookCounters.took('taken');
    await clock.advance(1_000);
    webhookCounters.took('known');
    expect(kept).toEqual({ since: startMs });
    await clock.advance(1_000);
    webhookCounters.took('backfilled', 3);
    webhookCounters.took('setAside');
    await clock.advance(2_000);
    const all = { since: startMs, taken: 2, known: 1, backfilled: 3, setAside: 1, lastAt: startMs + 2_000 };
    expect(kept).toEqual(all);
    await clock.advance(60_000);
    expect(kept).toEqual(all);
    expect(counters.of).toHaveBeenCalledOnce();
  });

  test('cost one write and one log line for a thousand refused webhooks', async () => {
    const { kept, clock, webhookCounters, counters, lines } = setUp();
    await settle();
    for (let index = 0; index < 999; index += 1) webhookCounters.refused('the signature does not match');
    webhookCounters.refused('malformed');
    await clock.advance(5_000);
    expect(kept).toEqual({
      since: startMs,
      'refused: the signature does not match': 999,
      'refused: malformed': 1,
      lastRefusedAt: startMs,
    });
    expect(counters.add).toHaveBeenCalledOnce();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'webhooks refused',
        reasons: { 'the signature does not match': 999, malformed: 1 },
      }),
    ]);
    await clock.advance(60_000);
    expect(counters.add).toHaveBeenCalledOnce();
    expect(lines).toHaveLength(1);
  });

  test('keep the latest three different refusals of signatures, the last first, in one write', async () => {
    const { clock, webhookCounters, refusals, lines } = setUp();
    await settle();
    const lacks = (problem: string) => ({ tried: [{ scheme: 'body', problem }], headers: ['x-hub-signature-256'] });
    for (const problem of ['a', 'b', 'c', 'd', 'c', 'd'])
      webhookCounters.refused('the signature is missing', lacks(problem));
    webhookCounters.refused('no secret is configured', { tried: [], headers: [] });
    await clock.advance(5_000);
    expect(refusals.set.mock.calls).toEqual([
      ['latest', ['d', 'c', 'b'].map((problem) => ({ at: startMs, ...lacks(problem) })), 7 * 24 * 3_600_000],
    ]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'webhooks refused',
      tried: ['body: d'],
      headerNames: ['x-hub-signature-256'],
    });
    webhookCounters.refused('malformed');
    await clock.advance(60_000);
    expect(refusals.set).toHaveBeenCalledOnce();
    expect(JSON.parse(lines[1]!)).not.toHaveProperty('tried');
  });

  test('keep later what the store did not take, or what was refused meanwhile, also for its address', async () => {
    const { clock, webhookCounters, refusals } = setUp();
    await settle();
    const wrong = (path: string) => webhookCounters.refused('the address is wrong', { tried: [], headers: [], path });
    refusals.set.mockRejectedValueOnce(new Error('the store is away')).mockImplementationOnce(async () => wrong('/b'));
    wrong('/a');
    await clock.advance(60_000);
    const keptPaths = refusals.set.mock.calls.map(([, kept]) => kept.map(({ path }) => path));
    expect(keptPaths).toEqual([['/a'], ['/a'], ['/b', '/a']]);
  });

  test('waits for a store that is away, counts on, and counts nothing twice', async () => {
    const { kept, clock, webhookCounters, counters, lines } = setUp();
    await settle();
    counters.add
      .mockRejectedValueOnce(new Error('the store is away'))
      .mockRejectedValueOnce(new Error('the store is away'));
    counters.raise.mockRejectedValueOnce(new Error('the store is away'));
    webhookCounters.refused('malformed');
    webhookCounters.took('taken');
    await clock.advance(5_000);
    webhookCounters.took('taken');
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs });
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, taken: 2, 'refused: malformed': 1 });
    await clock.advance(5_000);
    expect(kept).toEqual({
      since: startMs,
      taken: 2,
      'refused: malformed': 1,
      lastAt: startMs + 5_000,
      lastRefusedAt: startMs,
    });
    expect(lines.filter((line) => line.includes('webhooks refused'))).toHaveLength(1);
    const failures = lines
      .filter((line) => !line.includes('webhooks refused'))
      .map((line): unknown => JSON.parse(line));
    expect(failures).toMatchObject([
      {
        level: 'warn',
        msg: 'webhooks could not be counted; they are counted later',
        error: { message: 'the store is away' },
      },
      { level: 'info', msg: 'webhooks are counted again', times: 3 },
    ]);
  });

  test('goes on from what was counted before a restart', async () => {
    const store = memoryCounters();
    const first = setUp(store);
    first.webhookCounters.took('taken');
    await first.webhookCounters.stop();
    const second = setUp(store, startMs + 60_000);
    await settle();
    second.webhookCounters.took('taken');
    await second.webhookCounters.stop();
    expect(store.kept).toEqual({ since: startMs, taken: 2, lastAt: startMs + 60_000 });
  });
});

const usual =
  `host connection keep-alive content-length content-type transfer-encoding accept accept-encoding user-agent
  cache-control pragma date expect te via forwarded x-forwarded-for x-forwarded-proto x-real-ip cdn-loop cf-ray traceparent
  tracestate x-request-id sec-fetch-mode upgrade upgrade-insecure-requests`.split(/\s+/);

test.each<[what: string, came: string[], shown: string[]]>([
  ['those that every request has are left out', usual, []],
  [
    'names that only hold a usual one are shown',
    ['x-host', 'host-x', 'date-x', 'x-date', 'x-via', 'via-x'],
    ['date-x', 'host-x', 'via-x', 'x-date', 'x-host', 'x-via'],
  ],
  ['those of a signature come first', ['a', 'x-quiz-sign', 'b', 'hmac'], ['hmac', 'x-quiz-sign', 'a', 'b']],
  ['eight at most', 'jihgfedcba'.split(''), 'abcdefgh'.split('')],
  ['a name of 40 characters', ['x'.repeat(40)], ['x'.repeat(40)]],
  ['no longer, stranger or empty name', ['x'.repeat(41), 'a_b', 'Ä', 'a b', ''], []],
])('of the headers of a refused webhook: %s', (_, came, shown) => {
  expect(comingHeaders(Object.fromEntries(came.map((name) => [name, 'hidden'])))).toEqual(shown);
});

const now = Date.UTC(2026, 10, 21, 8);

async function statusOf(options: {
  setAside?: SetAsideEvent[];
  refusals?: RefusedSignature[];
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
  // What is being posted waits no more.
  await outbox.commit('channel/T1/C3', { version: 0, state: {}, isBusy: true });
  await outbox.commit('inbox', { version: 0, state: { tries }, isBusy: false });
  return alertsStatus({
    outbox,
    counters: { of: async (name) => (name === 'webhooks' ? (options.counters ?? {}) : {}) },
    refusals: { get: async (key: string) => (key === 'latest' ? options.refusals : undefined) },
    setAside: { get: async (key: string) => (key === 'latest' ? options.setAside : undefined) },
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
  const refusals = [{ at: 3, tried: [], headers: ['hmac'] }];
  expect((await statusOf({ counters, refusals })).webhooks).toEqual({
    since: 1,
    lastAt: 2,
    taken: 5,
    backfilled: 4,
    lastRefusedAt: 3,
    refusedSignatures: refusals,
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
  const pauses = [null, now + 1, now];
  expect(await statusOf({ pauses })).toMatchObject({ subscriptions: 4, paused: 2, waiting: 0, oldestAt: undefined });
});

const dayMs = 24 * 3_600_000;

function openUpkeep(...subscriptions: Subscription[]) {
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
  const { after } = openUpkeep(subscription());
  expect(await after(0)).toEqual(['wake backfill', forget]);
  expect(await after(4 * minuteMs)).toEqual([]);
  expect(await after(minuteMs)).toEqual(['wake backfill']);
});

test('upkeep wakes what looks for submissions when the subscriptions have changed', async () => {
  const { after, state } = openUpkeep(subscription());
  await after(0);
  state.version = 2;
  expect(await after(0)).toEqual(['wake backfill']);
  expect(await after(0)).toEqual([]);
});

test('upkeep wakes digests, and what notifies the owners of pauses who do not know yet', async () => {
  const pause = { since: now, until: null, by: null, code: 'is_archived' };
  const unnotified = subscription({ id: 's-2', pause: { ...pause, isOwnerNotified: false } });
  const { after } = openUpkeep(subscription({ delivery: { kind: 'digest', every: 'hour' } }), unnotified);
  await after(0);
  expect(await after(0)).toEqual(['wake digest/T1/s-1', 'wake pauses']);
  const { after: afterNotice } = openUpkeep(subscription({ pause: { ...pause, isOwnerNotified: true } }));
  await afterNotice(0);
  expect(await afterNotice(0)).toEqual([]);
});

test('upkeep forgets old events until it has looked at all, and then once an hour', async () => {
  const { after, state } = openUpkeep();
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
  const { upkeep, outbox, dropped, lines } = openUpkeep(
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
