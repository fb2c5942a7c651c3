import { createMatcher, matchSubscriptions, createTakeEvent } from '../../../src/features/webhooks/take.ts';
import { describe, expect, test, vi, onTestFinished } from 'vitest';
import type { Submission } from '../../../src/domain/queues.ts';
import type { SubmissionFilter } from '../../../src/domain/subscription.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';
import fc from 'fast-check';
import {
  isCorrection,
  knownSubmission,
  readKnown,
  textOfKnown,
  type KnownSubmission,
} from '../../../src/domain/result.ts';
import type { SubmissionOutcome } from '../../../src/domain/submission-outcome.ts';
import { createEventParser, syntheticEvent } from '../../../src/features/webhooks/body.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { submittedResponse } from '../../support/builders/responses.ts';
import { eventBody } from '../../support/event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const queuesOf = (...args: Parameters<typeof matchSubscriptions>) =>
  matchSubscriptions(...args).map(({ queue, subscriptionId }) => `${queue} ${subscriptionId}`);

describe('the subscriptions that a submission matches', () => {
  test.each<[filter: SubmissionFilter, isPassedWithB: boolean, isUngraded: boolean]>([
    [{ kind: 'all' }, true, true],
    [{ kind: 'passed' }, true, false],
    [{ kind: 'failed' }, false, false],
    [{ kind: 'ungraded' }, false, true],
    [{ kind: 'below', percentage: 60 }, false, false],
    [{ kind: 'below', percentage: 60.5 }, true, false],
    [{ kind: 'grade', grade: 'b' }, true, false],
    [{ kind: 'grade', grade: ' b ' }, true, false],
    [{ kind: 'grade', grade: 'A' }, false, false],
  ])('by result: %j of 60 %%, passed, grade B: %s, and of what has no grade yet: %s', (filter, ...matches) => {
    const told = [
      { percentage: 60, outcome: 'passed', grade: 'B ' },
      { percentage: 0, outcome: 'not graded', grade: '' },
      { percentage: 0, outcome: 'unmarked', grade: '' },
    ] as const;
    const counts = told.map((one) => matchSubscriptions(submission(one), [subscription({ filter })], 5).length);
    expect(counts).toEqual([matches[0], matches[1], matches[1]].map(Number));
  });

  test('by quiz: every one, or the one', () => {
    const quiz = (id: string) => ({ id, name: 'Any' });
    const subscriptions = [
      subscription({ id: 'all' }),
      subscription({ id: 'this', channelId: 'C2', quiz: quiz('q-1') }),
      subscription({ id: 'other', channelId: 'C3', quiz: quiz('q-2') }),
    ];
    expect(queuesOf(submission(), subscriptions, 5).toSorted()).toEqual(['channel/T1/C1 all', 'channel/T1/C2 this']);
  });

  test('a channel gets a submission once, through its most specific subscription, and every digest includes it', () => {
    const digest = { kind: 'digest', every: 'hour' } as const;
    const quiz = { id: 'q-1', name: 'Any' };
    const subscriptions = [
      subscription({ id: 'hourly', delivery: digest }),
      subscription({ id: 'its quiz', quiz, createdAt: 1 }),
      subscription({ id: 'its quiz, younger', quiz, delivery: { kind: 'thread' }, createdAt: 2 }),
      subscription({ id: 'its quiz, failed', quiz, filter: { kind: 'failed' }, createdAt: 3 }),
      subscription({ id: 'all', createdAt: 4 }),
      subscription({ id: 'hourly too', delivery: digest }),
    ];
    expect(queuesOf(submission(), subscriptions, 5)).toEqual([
      'channel/T1/C1 its quiz, younger',
      'digest/T1/hourly hourly',
      'digest/T1/hourly too hourly too',
    ]);
    expect(queuesOf(submission({ outcome: 'failed' }), subscriptions, 5)[0]).toBe('channel/T1/C1 its quiz, failed');
    expect(queuesOf(submission({ quizId: 'q-2' }), subscriptions, 5)[0]).toBe('channel/T1/C1 all');
  });

  test('a correction is in no digest: its channel gets it once, if either result passes the filter', () => {
    const digest = { kind: 'digest', every: 'hour' } as const;
    const corrects = { outcome: 'failed', points: 3, availablePoints: 10, percentage: 30, grade: '' } as const;
    const subscriptions = [
      subscription({ id: 'hourly', delivery: digest, filter: { kind: 'failed' } }),
      subscription({ id: 'elsewhere', channelId: 'C2', delivery: digest, filter: { kind: 'grade', grade: 'Z' } }),
    ];
    expect(queuesOf(submission({ corrects }), subscriptions, 5)).toEqual(['channel/T1/C1 hourly']);
  });

  test('a backfilled submission goes to subscriptions that existed when it was submitted', () => {
    const subscriptions = [
      subscription({ id: 'before', createdAt: 10 }),
      subscription({ id: 'after', channelId: 'C2', createdAt: 30 }),
    ];
    expect(queuesOf(submission({ isBackfilled: true, submittedAt: 20 }), subscriptions, 99)).toEqual([
      'channel/T1/C1 before',
    ]);
    expect(queuesOf(submission({ isBackfilled: false, submittedAt: 20 }), subscriptions, 99)).toHaveLength(2);
  });
});

/** Of the workspace T1, which notifies nobody beside its subscribers. */
const matcherOf = (
  parts: Pick<Parameters<typeof createMatcher>[0], 'store' | 'subscriptions'> & { teamId?: () => Promise<string> },
) =>
  createMatcher({
    teamId: async () => 'T1',
    notifiesRespondents: false,
    entriesForFollowers: async () => [],
    now: () => 5,
    ...parts,
  });

test('the matcher asks for the workspace until it is known, and then never again', async () => {
  const teamId = vi.fn(async () => 'T1');
  const matcher = matcherOf({ teamId, store: { version: async () => 7 }, subscriptions: async () => [subscription()] });
  teamId.mockRejectedValueOnce(new Error('the workspace is not known'));
  await expect(matcher.load()).rejects.toThrow('the workspace is not known');
  expect(await matcher.match({ kind: 'submission', submission: submission() })).toBeUndefined();
  await matcher.load();
  await matcher.load();
  expect(teamId).toHaveBeenCalledTimes(2);
});

const unmarked = { points: 0, percentage_score: 0, grade: '', pass: false };
const failed = { points: 4, percentage_score: 40, grade: 'F', pass: false };

/** The way of events about one response into the queue of a channel. */
async function setUp() {
  const dataDir = temporaryDirectory();
  let storage = openSqliteStorage(dataDir, { now: Date.now });
  onTestFinished(() => storage.close());
  await storage.subscriptions.add(subscription());
  const counted: string[] = [];
  const takeFrom = async () => {
    const matcher = matcherOf({ store: storage.subscriptions, subscriptions: storage.subscriptions.all });
    await matcher.load();
    return createTakeEvent({
      inbox: storage.inbox,
      outbox: storage.outbox,
      matcher,
      wake: () => {},
      onSubmission: ({ responseId }) => counted.push(responseId),
    });
  };
  let takeEvent = await takeFrom();
  const parse = createEventParser('UTC');
  return {
    counted,
    takeEvent: async (...event: Parameters<typeof takeEvent>) => takeEvent(...event),
    take: async (id: string, data: Record<string, unknown> = {}, event_date = '2018-11-02 00:05:47') =>
      takeEvent(
        parse(eventBody({ event_id: id, event_date }, { response_id: 'r-1', ...data }), {
          isTrusted: true,
          takenAt: 1,
        }),
      ),
    async restart() {
      await storage.close();
      storage = openSqliteStorage(dataDir, { now: Date.now });
      takeEvent = await takeFrom();
    },
    async queued(): Promise<Submission[]> {
      const entries = await storage.outbox.waiting('channel/T1/C1', { limit: 100 });
      return entries.flatMap(({ content }) => (content.kind === 'submission' ? [content.submission] : []));
    },
  };
}

test('a response that comes again with another event ID is announced once, also after a restart', async () => {
  const { take, restart, queued, counted } = await setUp();
  expect([await take('a'), await take('b'), await take('b')]).toEqual(['taken', 'known', 'known']);
  await restart();
  expect(await take('c', { duration: 300, first_name: 'Rosa Maria', quiz_name: 'Fire', attempt: 3 })).toBe('known');
  expect([await queued(), counted]).toMatchObject([[{ outcome: 'passed', name: 'Rosa Almeida' }], ['r-1']]);
});

test('a response that comes again with another result corrects what was announced', async () => {
  const { take, restart, queued } = await setUp();
  await take('a', unmarked);
  await restart();
  expect([await take('b', failed), await take('a', unmarked), await take('c', failed)]).toEqual([
    'taken',
    'known',
    'known',
  ]);
  expect(await take('d')).toBe('taken');
  const [first, ...corrections] = await queued();
  expect(first).not.toHaveProperty('corrects');
  expect(corrections).toMatchObject([
    { outcome: 'failed', percentage: 40, corrects: { outcome: 'unmarked', points: null, grade: '' } },
    { outcome: 'passed', percentage: 90, corrects: { outcome: 'failed', percentage: 40, points: 4, grade: 'F' } },
  ]);
});

test('a response that was submitted again with the same result is announced, too', async () => {
  const { take, queued } = await setUp();
  await take('a');
  await take('b', { date_submitted: '2018-11-02 09:00:00' }, '2018-11-02 09:00:00');
  expect(await queued()).toMatchObject([{}, { percentage: 90, corrects: { percentage: 90 } }]);
});

test('an earlier event that comes late corrects nothing, and what it lacks is no change', async () => {
  const { take, takeEvent, queued } = await setUp();
  await takeEvent(syntheticEvent('backfilled', submittedResponse(), 7));
  expect(await take('a', { percentage_score: null, grade: null })).toBe('known');
  expect(await take('b', failed, '2018-11-03 00:00:00')).toBe('taken');
  expect(await take('c', {}, '2018-11-02 12:00:00')).toBe('known');
  expect(await take('d', { date_submitted: '2018-11-01 00:00:00' }, '2018-11-04 00:00:00')).toBe('known');
  expect(await queued()).toMatchObject([{ isBackfilled: true }, { outcome: 'failed' }]);
});

const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }));
const anySubmission = fc
  .record({
    outcome: fc.constantFrom<SubmissionOutcome>('passed', 'failed', 'not graded', 'unmarked'),
    points: number,
    availablePoints: number,
    percentage: number,
    grade: fc.string({ unit: 'binary', maxLength: 100 }),
    submittedAt: fc.option(fc.nat()),
  })
  .map((fields) => submission(fields));
const known = fc
  .tuple(anySubmission, fc.option(fc.nat()))
  .map(([one, reportedAt]): KnownSubmission => knownSubmission(one, reportedAt));

test('what is kept of any submission is short, can be read again, and is no correction of itself', () => {
  fc.assert(
    fc.property(known, (one) => {
      const text = textOfKnown(one);
      expect(readKnown(text)).toEqual(JSON.parse(JSON.stringify(one)));
      expect(isCorrection(one, readKnown(text))).toBe(false);
      expect(text.length).toBeLessThan(400);
    }),
  );
});

test('of two different results, reported at different times, only the later one corrects the other', () => {
  fc.assert(
    fc.property(known, known, (one, differing) => {
      const other = { ...differing, submittedAt: one.submittedAt };
      fc.pre(one.outcome !== other.outcome && one.reportedAt !== other.reportedAt);
      const both = one.reportedAt !== null && other.reportedAt !== null;
      expect([isCorrection(one, other), isCorrection(other, one)].filter(Boolean)).toHaveLength(both ? 1 : 2);
    }),
  );
});
