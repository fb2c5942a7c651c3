import { createTakeEvent, createMatcher } from '../../../src/features/webhooks/take.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  isCorrection,
  knownSubmission,
  readKnown,
  textOfKnown,
  type KnownSubmission,
} from '../../../src/domain/result.ts';
import type { Submission } from '../../../src/domain/queues.ts';
import type { SubmissionOutcome } from '../../../src/domain/submission-outcome.ts';
import { createEventParser, syntheticEvent } from '../../../src/features/webhooks/body.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';
import { submittedResponse } from '../../support/builders/responses.ts';
import { eventBody } from '../../support/event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const unmarked = { points: 0, percentage_score: 0, grade: '', pass: false };
const failed = { points: 4, percentage_score: 40, grade: 'F', pass: false };

/** The way of events about one response into the queue of a channel. */
async function setUp(filter: Parameters<typeof subscription>[0] = {}) {
  const dataDir = temporaryDirectory();
  let storage = openSqliteStorage(dataDir, { now: Date.now });
  onTestFinished(() => storage.close());
  await storage.subscriptions.add(subscription(filter));
  const counted: string[] = [];
  const takeFrom = async () => {
    const matcher = createMatcher({
      teamId: async () => 'T1',
      store: storage.subscriptions,
      subscriptions: storage.subscriptions.all,
      notifiesRespondents: false,
      entriesForFollowers: async () => [],
      now: () => 5,
    });
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

test('a channel with a filter gets a correction if either result passes the filter', async () => {
  const { take, queued } = await setUp({ filter: { kind: 'failed' } });
  await take('a');
  await take('b', failed);
  await take('c', { ...failed, points: 3, percentage_score: 30 });
  await take('d');
  await take('e', { percentage_score: 95 });
  expect((await queued()).map(({ percentage, corrects }) => [percentage, corrects?.percentage])).toEqual([
    [40, 90],
    [30, 40],
    [90, 30],
  ]);
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
