import { whoseAttemptAmong } from '../../../src/directory/whose-attempt.ts';
import { backfillMachine, createQuizActivity } from '../../../src/features/webhooks/backfill.ts';
import { createTakeEvent, createMatcher, inboxMail } from '../../../src/features/webhooks/take.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BudgetLeft } from '../../../src/quiz-api/budget/request-budget.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryInbox, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';
import { eventBody, hintEvent, newEvent } from '../../support/event.ts';
import { createMockService } from '../../support/mock-service.ts';
import { subscription } from '../../support/builders/alerts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 10, 21, 12);
const service = {
  windows: [
    { windowMs: minuteMs, limit: 60, left: 60 },
    { windowMs: hourMs, limit: 2_000, left: 2_000 },
  ],
};

const twoQuizzes = ['q-1', 'q-2'].map((id) =>
  subscription({ id: `of ${id}`, quiz: { id, name: '' }, createdAt: startMs - dayMs }),
);

type Row = Record<string, unknown>;
type Answer = Row[] | { status: number; body?: string };

/** A response as the service writes it, submitted so long ago. */
function row(responseId: string, agoMs: number, overrides: Row = {}): Row {
  const date_submitted = new Date(startMs - agoMs).toISOString().slice(0, 19).replace('T', ' ');
  const { data } = JSON.parse(eventBody()) as { data: Row };
  return { ...data, response_id: responseId, date_submitted, access_code: 'ACCESS-1', ...overrides };
}

/** Compares with a service that answers for each quiz what `answers` holds at the time. */
function setUp(
  options: { subscriptions?: Subscription[]; quizIds?: string[]; closedIds?: string[]; assignedIds?: string[] } = {},
) {
  const clock = { now: startMs };
  const loss: { found?: object } = {};
  const answers = new Map<string, Answer>();
  const asked: { quiz: string; at: number }[] = [];
  const mock = createMockService({ now: () => clock.now, sleep: async (ms) => void (clock.now += ms) });
  mock.service
    .intercept({ path: /./, method: 'GET' })
    .reply(({ path }) => {
      const quiz = /quizzes\/([^/]+)\/responses/.exec(path)?.[1] ?? '';
      asked.push({ quiz, at: clock.now });
      const answer = answers.get(quiz) ?? [];
      const { status, body = '{"message":"no"}' } = Array.isArray(answer)
        ? { status: 200, body: JSON.stringify(answer) }
        : answer;
      return {
        statusCode: status,
        data: body,
        responseOptions: { headers: { 'content-type': 'application/json' } },
      };
    })
    .persist();
  onTestFinished(() => mock.agent.close());
  const outbox = createMemoryOutbox();
  const inbox = createMemoryInbox({ put: outbox.putNow });
  const left: BudgetLeft = {
    windows: structuredClone(service.windows),
    waiting: { person: 0, background: 0 },
    availableAt: new Date(0),
  };
  const { log, lines } = recordingLog();
  const subscriptions = options.subscriptions ?? [
    subscription({ quiz: { id: 'q-1', name: 'Fire safety' }, createdAt: startMs - 30 * dayMs }),
  ];
  const woken = vi.fn<(queue: string) => void>();
  const matcher = createMatcher({
    notifiesRespondents: true,
    entriesForFollowers: async () => [],
    teamId: async () => 'T1',
    store: { version: async () => 1 },
    subscriptions: async () => subscriptions,
    now: () => clock.now,
  });
  const takeEvent = createTakeEvent({ inbox, outbox, matcher, wake: woken });
  const onBackfilled = vi.fn();
  const activity = createQuizActivity(() => clock.now);
  const lags: number[] = [];
  const quizIds = vi.fn(async () => options.quizIds ?? []);
  const list = vi.spyOn(mock.api.responses, 'list');
  const create = (remembered = activity) => {
    const machine = backfillMachine({
      inbox,
      outbox,
      takeEvent,
      subscriptions: async () => subscriptions,
      quizIds,
      responses: mock.api.responses,
      whoseAttempt: async () => whoseAttemptAmong([]),
      budget: { left: async () => left },
      onBackfilled,
      lastLoss: () => loss.found,
      log,
      activity: remembered,
      onLag: (ms) => void lags.push(ms),
      closedIds: async () => new Set(options.closedIds),
      assignedIds: async () => new Set(options.assignedIds),
      now: () => clock.now,
    });
    const compare = runMachine(machine, { outbox, now: () => clock.now });
    return async () => {
      await matcher.load();
      return (await compare('backfill')) ?? Infinity;
    };
  };
  const run = create();
  /** Runs it so many times, each when it said. */
  const runTimes = async (times: number, compare = run) => {
    for (let time = 0; time < times; time += 1) clock.now = await compare();
  };
  const found = () => inbox.events.filter(({ id }) => id.startsWith('backfilled:')).map(({ subject }) => subject);
  const answer = (quiz: string, what: Answer) => answers.set(quiz, what);
  const logged = (level: string) =>
    lines.filter((line) => line.includes(`"level":"${level}"`)).map((line): unknown => JSON.parse(line));
  return {
    activity,
    lags,
    clock,
    loss,
    answer,
    asked,
    inbox,
    outbox,
    matcher,
    left,
    lines,
    logged,
    subscriptions,
    woken,
    onBackfilled,
    quizIds,
    list,
    create,
    run,
    runTimes,
    found,
  };
}

test('quizzes are active for a day after their newest submission, 500 of them at most', () => {
  const clock = { now: startMs };
  const { seen, isActive, kept } = createQuizActivity(() => clock.now);
  for (let n = 0; n < 500; n += 1) seen(`q-${n}`, startMs - hourMs);
  seen('q-0', startMs);
  seen('q-0', startMs - dayMs);
  seen('q-new', startMs - hourMs);
  expect(['q-0', 'q-1', 'q-2', 'q-new', 'q-none'].map(isActive)).toEqual([true, false, true, true, false]);
  expect(Object.keys(kept())).toHaveLength(500);
  clock.now = startMs + dayMs - 1;
  expect(kept()).toEqual({ 'q-0': startMs });
  clock.now = startMs + dayMs;
  expect(kept()).toEqual({});
});

describe('comparing with the service', () => {
  test('finds a submission whose webhook never came, and has it announced like others', async () => {
    const { answer, run, inbox, outbox, matcher, woken, onBackfilled } = setUp();
    await matcher.load();
    answer('q-1', [row('r-1', hourMs)]);
    await run();
    expect(inbox.events).toMatchObject([
      { id: 'backfilled:q-1:r-1', subject: 'q-1/r-1', isBackfilled: true, takenAt: startMs },
    ]);
    const submitted = {
      quizName: 'Fire safety',
      name: 'Rosa Almeida',
      points: 9,
      percentage: 90,
      outcome: 'passed',
      attempt: 2,
      submittedAt: startMs - hourMs,
      isBackfilled: true,
    };
    expect(await outbox.waiting('channel/T1/C1', { limit: 10 })).toMatchObject([
      { content: { submission: submitted } },
    ]);
    expect(woken.mock.calls).toEqual([['channel/T1/C1']]);
    expect(onBackfilled).toHaveBeenCalledWith(1);
  });

  test('after a loss, compares every quiz at once, those with recent submissions first, and then at its usual pace', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `q-${String(index).padStart(2, '0')}`);
    const { run, runTimes, loss, asked, activity, left, clock } = setUp({
      subscriptions: [subscription({ quiz: null, createdAt: startMs - dayMs })],
      quizIds: ids,
    });
    await runTimes(1);
    activity.seen('q-20', startMs - hourMs);
    loss.found = {};
    asked.length = 0;
    // Less than it leaves to people otherwise.
    left.windows[0]!.left = 5;
    const lostAt = clock.now;
    await runTimes(ids.length);
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-20', ...ids.filter((id) => id !== 'q-20')]);
    expect(new Set(asked.map(({ at }) => at))).toEqual(new Set([lostAt]));
    clock.now = await run();
    expect(clock.now).toBe(lostAt + minuteMs);
    await run();
    expect(asked).toHaveLength(ids.length);
  });

  test('after a loss, goes on where it was when it is started again, and as soon as there are requests', async () => {
    const { runTimes, loss, asked, create, list, clock } = setUp({
      subscriptions: [subscription({ quiz: null, createdAt: startMs - dayMs })],
      quizIds: ['q-1', 'q-2', 'q-3'],
    });
    loss.found = {};
    await runTimes(1);
    const availableAt = clock.now + 20_000;
    const call = { operation: 'responses.list', method: 'GET', path: '/' };
    list.mockRejectedValueOnce(
      new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(availableAt) }),
    );
    await runTimes(1);
    expect(clock.now).toBe(availableAt);
    delete loss.found;
    const again = create();
    clock.now = availableAt;
    await again();
    clock.now += 5_000;
    await runTimes(2, again);
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-1', 'q-2', 'q-3']);
  });

  test('after a loss, finds at once what was submitted before, first in quizzes with recent submissions', async () => {
    const { answer, runTimes, loss, asked, activity, found } = setUp({
      subscriptions: [subscription({ quiz: null, createdAt: startMs - dayMs })],
      quizIds: ['q-1', 'q-2', 'q-3'],
    });
    loss.found = {};
    activity.seen('q-2', startMs - hourMs);
    answer('q-2', [row('r-1', minuteMs, { quiz_id: 'q-2' })]);
    await runTimes(3);
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-2', 'q-1', 'q-3']);
    expect(found()).toEqual(['q-2/r-1']);
  });

  test('after a loss, looks for subscribed quizzes for a minute, and then at its usual pace', async () => {
    const { runTimes, loss, clock } = setUp({ subscriptions: [] });
    const lostAt = startMs + hourMs;
    clock.now = lostAt;
    loss.found = {};
    const times: number[] = [];
    for (const runs of [1, 29, 1, 1]) {
      await runTimes(runs);
      times.push(clock.now - lostAt);
    }
    expect(times).toEqual([2_000, minuteMs, 2 * minuteMs, 17 * minuteMs]);
  });

  test('after a loss, waits until quizzes are subscribed again', async () => {
    const { runTimes, loss, asked, subscriptions, clock } = setUp({ subscriptions: [] });
    loss.found = {};
    await runTimes(2);
    expect(clock.now).toBeLessThan(startMs + minuteMs);
    subscriptions.push(subscription({ quiz: { id: 'q-1', name: '' }, createdAt: startMs - hourMs }));
    await runTimes(1);
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-1']);
  });

  test('keeps the name of the respondent and no other personal data', async () => {
    const { answer, run, inbox, lines, logged } = setUp();
    answer('q-1', [row('r-1', hourMs)]);
    await run();
    for (const personal of ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1'])
      expect(JSON.stringify(inbox.events)).not.toContain(personal);
    expect(logged('warn')).toEqual([
      expect.objectContaining({
        quiz: 'q-1',
        backfilled: 1,
        msg: 'webhooks never came: their submissions are announced late',
      }),
    ]);
    expect(lines.join('')).not.toContain('Rosa');
  });

  test('offers the inbox only what it does not know, once, and counts no webhook that comes at the same moment', async () => {
    const { answer, runTimes, inbox, onBackfilled } = setUp();
    answer('q-1', [row('r-1', hourMs), row('r-2', 2 * hourMs), row('r-3', 3 * hourMs)]);
    await inbox.take(newEvent({ id: 'e-1', subject: 'q-1/r-1', takenAt: startMs }));
    await inbox.take(newEvent({ id: 'e-2', subject: 'q-1/r-2', takenAt: startMs }));
    vi.spyOn(inbox, 'knownSubjects').mockResolvedValueOnce(new Set(['q-1/r-1']));
    const take = vi.spyOn(inbox, 'take');
    await runTimes(4);
    expect(take.mock.calls.map(([{ id }]) => id)).toEqual(['backfilled:q-1:r-3', 'backfilled:q-1:r-2']);
    expect(onBackfilled).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('does not call late what a webhook has named that waits for the service', async () => {
    const { answer, run, inbox, outbox, onBackfilled } = setUp();
    answer('q-1', [row('r-1', hourMs), row('r-2', 2 * hourMs)]);
    outbox.putNow([inboxMail.entry('inbox', hintEvent({ id: 'r-1', takenAt: startMs }), startMs)]);
    const take = vi.spyOn(inbox, 'take');
    await run();
    expect(take.mock.calls.map(([{ id, isBackfilled }]) => [id, isBackfilled])).toEqual([
      ['backfilled:q-1:r-2', true],
      [`confirmed:q-1:r-1:${startMs}`, false],
    ]);
    expect(onBackfilled).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('calls the service in the background and waits no longer than a minute', async () => {
    const { run, list } = setUp();
    await run();
    expect(list.mock.calls).toEqual([['q-1', { priority: 'background', deadline: startMs + minuteMs }]]);
  });

  test.each<[string, Row[], string, number?]>([
    [
      'a webhook has had five minutes to come',
      [row('found', 5 * minuteMs), row('later', 5 * minuteMs - 1_000)],
      'found',
    ],
    ['seven days are not over', [row('found', 7 * dayMs), row('too-old', 7 * dayMs + 1_000)], 'found'],
    ['somebody had subscribed by then', [row('before', hourMs + 1_000), row('found', hourMs)], 'found', hourMs],
    [
      'it was submitted at a known time',
      [
        row('open', hourMs, { status: 'not_submitted', date_submitted: null }),
        row('dateless', hourMs, { date_submitted: null }),
        row('begun', hourMs, { status: 'not_started' }),
        row('found', hourMs),
      ],
      'found',
    ],
  ])('finds a response where %s, to the second', async (_, rows, expected, subscribedAgoMs = 30 * dayMs) => {
    const { answer, run, found, quizIds } = setUp({
      subscriptions: [subscription({ quiz: { id: 'q-1', name: '' }, createdAt: startMs - subscribedAgoMs })],
    });
    answer('q-1', rows);
    await run();
    expect(found()).toEqual([`q-1/${expected}`]);
    // Nobody has subscribed to every quiz.
    expect(quizIds).not.toHaveBeenCalled();
  });

  test('goes by the earliest of the subscriptions that concern a quiz, paused ones too', async () => {
    const { answer, runTimes, found } = setUp({
      quizIds: ['q-1', 'q-2'],
      subscriptions: [
        subscription({
          id: 'a',
          quiz: { id: 'q-1', name: '' },
          createdAt: startMs - 3 * hourMs,
          pause: { since: startMs, until: null, by: 'U1' },
        }),
        subscription({ id: 'b', quiz: { id: 'q-1', name: '' }, createdAt: startMs - hourMs }),
        subscription({ id: 'c', quiz: null, createdAt: startMs - 2 * hourMs }),
        subscription({ id: 'd', quiz: null, createdAt: startMs - hourMs }),
      ],
    });
    const rows = (quiz: string) =>
      [1, 2, 3, 4].map((hours) => row(`r-${hours}`, hours * hourMs - minuteMs, { quiz_id: quiz }));
    answer('q-1', rows('q-1'));
    answer('q-2', rows('q-2'));
    await runTimes(2);
    expect(found()).toEqual(['q-1/r-3', 'q-1/r-2', 'q-1/r-1', 'q-2/r-2', 'q-2/r-1']);
  });

  test('asks nothing while nobody has subscribed', async () => {
    const { run, asked, quizIds } = setUp({ subscriptions: [] });
    expect(await run()).toBe(startMs + 15 * minuteMs);
    expect(asked).toEqual([]);
    expect(quizIds).not.toHaveBeenCalled();
  });
});

describe('an account of 2,000 quizzes of which 50 have recent submissions', () => {
  const quizIds = Array.from({ length: 2_000 }, (_, index) => `q-${String(index).padStart(4, '0')}`);
  const activeIds = quizIds.filter((_, index) => index % 40 === 20);
  const assignedIds = quizIds.filter((_, index) => index % 40 === 10);
  const ofAll = {
    subscriptions: [subscription({ quiz: null, createdAt: startMs - dayMs })],
    quizIds,
    assignedIds: [...assignedIds, 'q-0001'],
    closedIds: quizIds.filter((quizId, index) => index % 8 > 0 && !assignedIds.includes(quizId)),
  };

  test('has a lost webhook of each of them found within 15 minutes, and compares the others besides: open ones that are assigned first, within two hours', async () => {
    const { activity, run, clock, answer, inbox, asked, lags } = setUp(ofAll);
    for (const quizId of activeIds) activity.seen(quizId, startMs - hourMs);
    const lostAt = new Map<string, number>();
    const foundAt = new Map<string, number>();
    while (clock.now < startMs + 4 * hourMs) {
      const quizId = activeIds[lostAt.size];
      // A webhook is lost every four minutes.
      if (quizId !== undefined && clock.now >= startMs + lostAt.size * 4 * minuteMs) {
        lostAt.set(quizId, clock.now);
        answer(quizId, [row('r-lost', startMs - clock.now, { quiz_id: quizId })]);
      }
      clock.now = await run();
      for (const { subject } of inbox.events)
        if (subject !== null && !foundAt.has(subject)) foundAt.set(subject, clock.now);
    }
    const waits = [...lostAt]
      .filter(([, at]) => at < startMs + 3.5 * hourMs)
      .map(([quizId, at]) => (foundAt.get(`${quizId}/r-lost`) ?? Infinity) - at);
    expect(waits.length).toBeGreaterThan(40);
    expect(Math.max(...waits)).toBeLessThanOrEqual(15 * minuteMs);
    expect(Math.max(...lags.slice(100))).toBeLessThan(11 * minuteMs);
    const others = asked.filter(({ quiz }) => !activeIds.includes(quiz));
    expect(others.length).toBeGreaterThan(200);
    for (const quizId of assignedIds)
      expect(asked.find(({ quiz }) => quiz === quizId)?.at).toBeLessThan(startMs + 2 * hourMs);
    const unassigned = others.filter(({ quiz }) => !assignedIds.includes(quiz));
    expect(unassigned.length).toBeLessThan(0.6 * others.length);
    expect(others.filter(({ quiz }) => ofAll.closedIds.includes(quiz)).length).toBeLessThan(0.3 * others.length);
    // The others still have their turns.
    expect(new Set(unassigned.map(({ quiz }) => quiz)).size).toBeGreaterThan(0.4 * others.length);
    for (const { at } of asked)
      expect(asked.filter((other) => other.at >= at && other.at < at + hourMs).length).toBeLessThanOrEqual(401);
  });

  test('knows them after a restart', async () => {
    const { activity, run, create, clock, outbox } = setUp(ofAll);
    activity.seen('q-0020', startMs - hourMs);
    clock.now = await run();
    const remembered = createQuizActivity(() => clock.now);
    await create(remembered)();
    expect(['q-0020', 'q-0060'].map(remembered.isActive)).toEqual([true, false]);
    expect((await outbox.stateOf<{ active: Record<string, number> }>('backfill')).state?.active).toEqual({
      'q-0020': startMs - hourMs,
    });
  });
});

describe('the pace of comparing', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `q-${String(index).padStart(4, '0')}`);
  const toAll = [subscription({ quiz: null, createdAt: startMs - dayMs })];

  test.each([1, 7, 49, 50, 51, 400])(
    'is at most a tenth of the requests of any hour with %i quizzes, and each gets its turn',
    async (count) => {
      const { runTimes, asked } = setUp({ subscriptions: toAll, quizIds: many(count) });
      await runTimes(count + 250);
      for (const { at } of asked)
        expect(asked.filter((other) => other.at >= at && other.at < at + hourMs).length).toBeLessThanOrEqual(200);
      for (const { at } of asked)
        expect(asked.filter((other) => other.at >= at && other.at < at + minuteMs).length).toBeLessThanOrEqual(6);
      expect(new Set(asked.slice(-count).map(({ quiz }) => quiz)).size).toBe(count);
    },
  );

  test('leaves the first five seconds after the start to the lists', async () => {
    const { clock, run, asked } = setUp();
    for (const afterMs of [1, 4_999]) {
      clock.now = startMs + afterMs;
      expect(await run()).toBe(startMs + 5_000);
    }
    expect(asked).toEqual([]);
    clock.now = startMs + 5_000;
    await run();
    expect(asked).toHaveLength(1);
  });

  test('is kept when it is woken early, and over a restart it goes on where it was', async () => {
    const { clock, create, run, runTimes, asked } = setUp({ subscriptions: toAll, quizIds: many(3) });
    await runTimes(1);
    const due = clock.now;
    clock.now = startMs + 30_000;
    expect(await run()).toBe(due);
    expect(await create()()).toBe(due);
    expect(asked).toHaveLength(1);
    clock.now = due;
    await create()();
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-0000', 'q-0001']);
  });

  test('goes on after a quiz that is new or gone meanwhile', async () => {
    const quizIds = many(3);
    const { runTimes, asked } = setUp({ subscriptions: toAll, quizIds });
    await runTimes(2);
    quizIds.splice(1, 2, 'q-0001-new', 'q-0003');
    await runTimes(3);
    expect(asked.map(({ quiz }) => quiz)).toEqual(['q-0000', 'q-0001', 'q-0001-new', 'q-0003', 'q-0000']);
  });

  test.each([0, 1])('waits while less than half is left of window %i', async (index) => {
    const { run, left, asked, clock } = setUp();
    const window = left.windows[index]!;
    window.left = window.limit / 2 - 1;
    clock.now = await run();
    expect(clock.now).toBe(startMs + minuteMs);
    expect(asked).toEqual([]);
    window.left = window.limit / 2;
    await run();
    expect(asked).toHaveLength(1);
  });

  test('is not stopped by a clock that was set back', async () => {
    const { run, clock, asked } = setUp();
    await run();
    clock.now = startMs - 30 * dayMs;
    await run();
    expect(asked).toHaveLength(2);
  });
});

describe('a service that', () => {
  test('does not know a quiz any more holds up no other', async () => {
    const { answer, runTimes, found, logged } = setUp({ subscriptions: twoQuizzes });
    answer('q-1', { status: 404 });
    answer('q-2', [row('r-1', hourMs, { quiz_id: 'q-2' })]);
    await runTimes(2);
    expect(found()).toEqual(['q-2/r-1']);
    expect(logged('warn')).toEqual([expect.objectContaining({ quiz: 'q-2', backfilled: 1 })]);
    expect(logged('error')).toEqual([]);
    expect(logged('debug')).toContainEqual(expect.objectContaining({ quiz: 'q-1' }));
  });

  test.each([
    ['is down', { status: 503 }],
    ['answers with a page', { status: 200, body: '<html>' }],
    ['has a proxy that answers 404 with a page', { status: 404, body: '<html>' }],
    ['answers what is no list', { status: 200, body: '{}' }],
  ])('%s for one quiz holds up no other, and what is missing is found later', async (_, wrong) => {
    const { answer, runTimes, found, logged } = setUp({ subscriptions: twoQuizzes });
    answer('q-1', wrong);
    answer('q-2', [row('r-2', hourMs, { quiz_id: 'q-2' })]);
    await runTimes(2);
    expect(found()).toEqual(['q-2/r-2']);
    expect(logged('warn')).toContainEqual(
      expect.objectContaining({
        quiz: 'q-1',
        error: expect.objectContaining({ code: expect.stringMatching(/^quiz_api_/) }),
        msg: 'a quiz could not be compared with the webhooks that came; it is compared again later',
      }),
    );
    answer('q-1', [row('r-1', hourMs)]);
    await runTimes(1);
    expect(found()).toEqual(['q-2/r-2', 'q-1/r-1']);
  });

  test('stays down is asked ever less often, and at the usual pace again when it is back', async () => {
    const { answer, run, clock, found } = setUp();
    answer('q-1', { status: 500 });
    const pauses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      const next = await run();
      pauses.push((next - clock.now) / minuteMs);
      clock.now = next;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
    answer('q-1', [row('r-1', hourMs)]);
    clock.now = await run();
    expect(found()).toEqual(['q-1/r-1']);
    answer('q-1', { status: 500 });
    expect((await run()) - clock.now).toBe(minuteMs);
  });
});

test('a quiz is asked for again, without a warning, a minute after the budget has room', async () => {
  const { run, clock, list, logged } = setUp({ subscriptions: twoQuizzes });
  const availableAt = new Date(startMs + 7 * minuteMs);
  list.mockRejectedValueOnce(
    new QuizApiError(
      'budget spent',
      { operation: 'responses.list', method: 'GET', path: '/v1/quizzes/q-1/responses' },
      'was not sent',
      { availableAt: availableAt },
    ),
  );
  clock.now = await run();
  expect(clock.now).toBe(startMs + 8 * minuteMs);
  await run();
  expect(list.mock.calls.map(([quizId]) => quizId)).toEqual(['q-1', 'q-1']);
  expect(logged('warn')).toEqual([]);
});

test('a response that fails for a reason nobody foresaw keeps no other response and no other quiz waiting', async () => {
  const { answer, run, clock, inbox, asked, found, onBackfilled, logged } = setUp({ subscriptions: twoQuizzes });
  answer('q-1', [
    row('r-1', hourMs),
    row('bad', 2 * hourMs),
    ...Array.from({ length: 200 }, (_, n) => row(`r-${n + 2}`, 3 * hourMs)),
  ]);
  answer('q-2', [row('r-1', hourMs, { quiz_id: 'q-2' })]);
  const { take } = inbox;
  vi.spyOn(inbox, 'take').mockImplementation(async (event, match) => {
    if (event.subject === 'q-1/bad') throw new RangeError('no such date');
    return take(event, match);
  });
  for (let tries = 1; tries < 5; tries += 1) await expect(run()).rejects.toThrow('no such date');
  expect(onBackfilled.mock.calls).toEqual([[201]]);
  clock.now = await run();
  expect(logged('warn').at(-1)).toMatchObject({ quiz: 'q-1', error: { message: 'no such date' } });
  await run();
  expect(asked.map(({ quiz }) => quiz)).toEqual(['q-1', 'q-1', 'q-1', 'q-1', 'q-1', 'q-2']);
  expect(found()).toContain('q-2/r-1');
});

test('a store that is away is no failure of a quiz', async () => {
  const { answer, run, inbox, asked } = setUp({ subscriptions: twoQuizzes });
  answer('q-1', [row('r-1', hourMs)]);
  const take = vi.spyOn(inbox, 'take').mockRejectedValue(new StoreAwayError('gone'));
  for (let tries = 0; tries < 9; tries += 1) await expect(run()).rejects.toThrow('the store is away');
  take.mockRestore();
  await run();
  expect(new Set(asked.map(({ quiz }) => quiz))).toEqual(new Set(['q-1']));
});
