import { describe, expect, test } from 'vitest';
import { freshState, isBusy, type Thread, nextMessage } from '../../../src/features/delivery/next-step.ts';
import type { QueueEntry, Submission } from '../../../src/domain/queues.ts';
import { digest, submission, subscription } from '../../support/builders/alerts.ts';

/** 23:30 in UTC, and the next day in Berlin. */
const at = Date.UTC(2026, 10, 21, 23, 30);
const hourMs = 3_600_000;
const now = at + hourMs;

const each = subscription({ id: 'each', showsNames: false });
const initials = subscription({ id: 'other', timeZone: 'Asia/Tokyo' });
const threaded = subscription({ id: 'thread', delivery: { kind: 'thread' }, timeZone: 'Europe/Berlin' });
const daily = subscription({ id: 'digest', delivery: { kind: 'digest', every: 'hour' } });
const subscriptions = new Map([each, initials, threaded, daily].map((one) => [one.id, one]));

const submitted = (position: number, subscriptionId: string, overrides: Partial<Submission> = {}): QueueEntry => ({
  position,
  subscriptionId,
  at,
  content: { kind: 'submission', submission: submission({ responseId: `r-${position}`, ...overrides }) },
});
const summed = (position: number): QueueEntry => ({
  position,
  subscriptionId: 'digest',
  at,
  content: { kind: 'digest', digest: digest() },
});
const next = (entries: QueueEntry[], threads: Record<string, Thread> = {}) =>
  nextMessage(entries, subscriptions, { state: { ...freshState, threads }, now }, ({ items }) => items.length);

const key = 'thread/q-1/2026-11-22';
const known: Thread = {
  quizId: 'q-1',
  quizName: 'Fire safety',
  day: '2026-11-22',
  timeZone: 'Europe/Berlin',
  messageId: '5',
  submitted: 3,
  passed: 2,
  failed: 1,
  unmarked: 0,
  scored: 3,
  percentagesTotal: 200,
  shown: 3,
  usedAt: 1,
};

test.each<[what: string, state: Partial<typeof freshState>, expected: boolean]>([
  ['nothing is to do', {}, false],
  ['a message is in flight', { inFlight: { id: 'm', startedAt: now, positions: [1] } }, true],
  ['the head of a thread shows what there is', { threads: { [key]: known } }, false],
  [
    'the head of one of its threads shows too few',
    { threads: { other: known, [key]: { ...known, submitted: 4 } } },
    true,
  ],
  [
    'a head that was lost would show too few',
    { threads: { [key]: { ...known, messageId: undefined, shown: 0 } } },
    false,
  ],
])('where %s, a channel has work without entries: %j', (_, state, expected) => {
  expect(isBusy({ ...freshState, ...state })).toBe(expected);
});

test('nothing, or an entry without a subscription, is no message', () => {
  expect(next([])).toBeUndefined();
  expect(next([submitted(1, 'gone'), submitted(2, 'each')])).toBeUndefined();
});

test('a single submission has a message of its own', () => {
  expect(next([submitted(1, 'each')])).toEqual({
    announcement: {
      kind: 'submission',
      submission: submission({ responseId: 'r-1' }),
      showsNames: false,
      postedAt: now,
    },
    positions: [1],
  });
});

test('several submissions are one message, each with or without its name', () => {
  expect(next([submitted(1, 'each'), submitted(2, 'other', { quizId: 'q-2' })])).toEqual({
    announcement: {
      kind: 'submissions',
      items: [
        { submission: submission({ responseId: 'r-1' }), showsNames: false },
        { submission: submission({ responseId: 'r-2', quizId: 'q-2' }), showsNames: true },
      ],
      postedAt: now,
    },
    positions: [1, 2],
  });
});

test('a digest is a message of its own', () => {
  expect(next([summed(1), submitted(2, 'each'), summed(3)])).toEqual({
    announcement: { kind: 'digest', digest: digest(), subscription: daily },
    positions: [1],
  });
});

test('no submission overtakes a digest', () => {
  expect(next([submitted(1, 'each'), submitted(2, 'each'), summed(3), submitted(4, 'each')])?.positions).toEqual([
    1, 2,
  ]);
  expect(next([submitted(1, 'thread'), summed(2), submitted(3, 'thread')], { [key]: known })?.positions).toEqual([1]);
});

test('entries without a subscription are left out', () => {
  expect(next([submitted(1, 'each'), submitted(2, 'gone'), submitted(3, 'each')])?.positions).toEqual([1, 3]);
});

test('submissions of threads stay out of the messages of others, and the other way round', () => {
  expect(next([submitted(1, 'each'), submitted(2, 'thread'), submitted(3, 'each')])?.positions).toEqual([1, 3]);
  expect(
    next([submitted(1, 'thread'), submitted(2, 'each'), submitted(3, 'thread')], { [key]: known })?.positions,
  ).toEqual([1, 3]);
});

test('corrections stay out of the messages of first results', () => {
  const corrects = { outcome: 'failed', points: 3, availablePoints: 10, percentage: 30, grade: '' } as const;
  const corrected = (position: number) => submitted(position, 'each', { corrects });
  expect(next([submitted(1, 'each'), corrected(2), submitted(3, 'each')])?.positions).toEqual([1, 3]);
  expect(next([corrected(2), submitted(3, 'each'), corrected(4)])?.positions).toEqual([2, 4]);
});

describe('a thread', () => {
  test('begins with its head, which counts the replies to come', () => {
    const entries = [submitted(1, 'thread'), submitted(2, 'thread', { outcome: 'failed', percentage: 30 })];
    const empty: Thread = {
      quizId: 'q-1',
      quizName: 'Fire safety',
      day: '2026-11-22',
      timeZone: 'Europe/Berlin',
      submitted: 0,
      passed: 0,
      failed: 0,
      unmarked: 0,
      scored: 0,
      percentagesTotal: 0,
      shown: 0,
      usedAt: at,
    };
    expect(next(entries)).toEqual({
      announcement: {
        kind: 'thread-head',
        counts: { ...empty, submitted: 2, passed: 1, failed: 1, scored: 2, percentagesTotal: 120 },
      },
      positions: [],
      thread: { key, isParent: true, counted: { ...empty, shown: 2 } },
    });
  });

  test('goes on with replies below its head, counted', () => {
    const entries = [submitted(1, 'thread'), submitted(2, 'thread', { outcome: 'failed', percentage: 30 })];
    expect(next(entries, { [key]: known, other: known })).toEqual({
      announcement: {
        kind: 'submissions',
        items: [
          { submission: submission({ responseId: 'r-1' }), showsNames: true },
          { submission: submission({ responseId: 'r-2', outcome: 'failed', percentage: 30 }), showsNames: true },
        ],
        postedAt: now,
      },
      positions: [1, 2],
      threadId: '5',
      thread: {
        key,
        isParent: false,
        counted: { ...known, submitted: 5, passed: 3, failed: 2, scored: 5, percentagesTotal: 320 },
      },
    });
    expect(next([submitted(1, 'thread')], { [key]: known })).toMatchObject({
      announcement: { kind: 'submission' },
      threadId: '5',
    });
  });

  test('has no correction, which is a message of the channel, with others like it', () => {
    const corrects = { outcome: 'failed', points: 3, availablePoints: 10, percentage: 30, grade: '' } as const;
    const corrected = (position: number) => submitted(position, 'thread', { submittedAt: at, corrects });
    const entries = [corrected(1), submitted(2, 'thread'), corrected(3)];
    const message = next(entries, { [key]: known });
    expect(message).toMatchObject({ positions: [1, 3], announcement: { kind: 'submissions' } });
    expect([message?.threadId, message?.thread]).toEqual([undefined, undefined]);
    expect(next(entries.slice(1), { [key]: known })).toMatchObject({ positions: [2], threadId: '5' });
  });

  test('counts ungraded submissions, and leaves them out of the mean', () => {
    const survey = submitted(2, 'thread', { outcome: 'not graded', percentage: 0 });
    const essay = submitted(3, 'thread', { outcome: 'unmarked', percentage: 0 });
    const unscored = submitted(4, 'thread', { percentage: null });
    expect(next([submitted(1, 'thread'), survey, essay, unscored], { [key]: known })?.thread).toMatchObject({
      counted: { submitted: 7, passed: 4, failed: 1, unmarked: 1, scored: 4, percentagesTotal: 290 },
    });
  });

  test('of a head that was lost begins again, with the counts it had', () => {
    const { messageId: _, ...headless } = known;
    expect(next([submitted(1, 'thread')], { [key]: headless })).toMatchObject({
      announcement: { kind: 'thread-head', counts: { submitted: 4, passed: 3 } },
      thread: { isParent: true, counted: { submitted: 3, shown: 4 } },
    });
  });

  test('holds one quiz, one day and one subscription', () => {
    const others = [
      submitted(2, 'thread', { quizId: 'q-2' }),
      submitted(3, 'thread', { submittedAt: at - 3 * hourMs }),
      submitted(4, 'thread'),
    ];
    expect(next([submitted(1, 'thread'), ...others], { [key]: known })?.positions).toEqual([1, 4]);
    const same = subscription({ ...threaded, id: 'same' });
    expect(
      nextMessage(
        [submitted(1, 'thread'), submitted(2, 'same')],
        new Map([
          [threaded.id, threaded],
          [same.id, same],
        ]),
        { state: { ...freshState, threads: { [key]: known } }, now },
        ({ items }) => items.length,
      )?.positions,
    ).toEqual([1]);
  });

  test.each([
    ['the day of the submission in the zone of the subscription', at - 3 * hourMs, '2026-11-21'],
    ['the same for one that is dated less than a day ahead', at + 23.5 * hourMs, '2026-11-23'],
    ['the day of its entry where the submission is a day old', at - 24 * hourMs, '2026-11-22'],
    ['the day of its entry where the submission is dated a day ahead', at + 24 * hourMs, '2026-11-22'],
    ['the day of its entry where the submission has no date', null, '2026-11-22'],
  ])('is of %s', (_, submittedAt, day) => {
    expect(next([submitted(1, 'thread', { submittedAt })])?.thread).toMatchObject({
      key: `thread/q-1/${day}`,
      counted: { day },
    });
  });
});
