import { digestOf, loadWeekBefore } from '../../../../src/features/delivery/digests.ts';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { isGraded } from '../../../../src/domain/submission-outcome.ts';
import { submission } from '../../../support/builders/alerts.ts';
import type { CallOptions } from '../../../../src/quiz-api/transport.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import type { SubmissionFilter } from '../../../../src/domain/subscription.ts';
import { recordingLog } from '../../../support/log.ts';
import { quizResponse } from '../../../support/builders/responses.ts';

const period = { from: 1_000, to: 2_000 };

test('a digest has the quiz with most submissions first, with counts, mean, percentages and who failed', () => {
  const submissions = [
    submission({ quizId: 'q-2', quizName: 'First aid', percentage: 55, outcome: 'failed', name: 'Tom Reed' }),
    submission({ percentage: 90 }),
    submission({ quizName: 'Fire safety 2026', percentage: 41, outcome: 'failed', name: 'Mei Tanaka' }),
  ];
  expect(digestOf(submissions, period, new Map([['q-1', { graded: 3, mean: 60 }]]))).toEqual({
    from: 1_000,
    to: 2_000,
    quizzes: [
      {
        quizId: 'q-1',
        quizName: 'Fire safety 2026',
        submitted: 2,
        passed: 1,
        failed: 1,
        unmarked: 0,
        mean: 65.5,
        weekBefore: { graded: 3, mean: 60 },
        percentages: [90, 41],
        failedNames: ['Mei Tanaka'],
      },
      {
        quizId: 'q-2',
        quizName: 'First aid',
        submitted: 1,
        passed: 0,
        failed: 1,
        unmarked: 0,
        mean: 55,
        percentages: [55],
        failedNames: ['Tom Reed'],
      },
    ],
  });
});

test('only graded submissions count in the mean and the percentages', () => {
  const ungraded = [
    submission({ outcome: 'not graded', percentage: 0 }),
    submission({ outcome: 'unmarked', percentage: 0 }),
    submission({ outcome: 'failed', percentage: null }),
  ];
  const one = digestOf([...ungraded, submission()], period, new Map()).quizzes;
  expect(one).toMatchObject([{ submitted: 4, passed: 1, failed: 1, unmarked: 1, mean: 90, percentages: [90] }]);
  expect(digestOf(ungraded.slice(0, 2), period, new Map()).quizzes).toMatchObject([
    { submitted: 2, passed: 0, failed: 0, mean: null, percentages: [] },
  ]);
});

test('every submission is in a digest once', () => {
  const submissions = fc
    .record({
      quizId: fc.constantFrom('q-1', 'q-2', 'q-3'),
      outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'),
      percentage: fc.integer({ min: 0, max: 100 }),
    })
    .map(submission);
  fc.assert(
    fc.property(fc.array(submissions, { maxLength: 50 }), (all) => {
      const { quizzes } = digestOf(all, period, new Map());
      const submitted = Map.groupBy(all, ({ quizId }) => quizId);
      expect(new Map(quizzes.map((quiz) => [quiz.quizId, quiz.submitted]))).toEqual(
        new Map([...submitted].map(([quizId, own]) => [quizId, own.length])),
      );
      for (const quiz of quizzes) {
        const graded = (submitted.get(quiz.quizId) ?? []).filter(({ outcome }) => isGraded(outcome));
        expect(quiz.percentages).toEqual(graded.map(({ percentage }) => percentage));
        expect(quiz.passed + quiz.failed).toBe(graded.length);
        expect(quiz.failedNames).toHaveLength(quiz.failed);
      }
    }),
  );
});

const dayMs = 24 * 3_600_000;
const before = Date.UTC(2026, 10, 21);
const submittedAt = (ms: number, overrides: Partial<QuizResponse> = {}) =>
  quizResponse({ date_submitted: new Date(ms), ...overrides });

function setUp(answer: (quizId: string) => QuizResponse[]) {
  const list = vi.fn(async (quizId: string, _options?: CallOptions) => answer(quizId));
  const { log, lines } = recordingLog();
  const ask = async (quizIds: string[], filter: SubmissionFilter = { kind: 'all' }) =>
    loadWeekBefore({ responses: { list }, log, now: () => before + 500 }, quizIds, { filter, before });
  return { list, lines, ask };
}

test('counts the graded submissions of the seven days before, and no other response', async () => {
  const { ask } = setUp(() => [
    submittedAt(before - 7 * dayMs - 1, { percentage_score: 1 }),
    submittedAt(before - 7 * dayMs, { percentage_score: 60 }),
    submittedAt(before - 1, { percentage_score: 81, pass: false }),
    submittedAt(before, { percentage_score: 2 }),
    quizResponse({ status: 'not_submitted', date_submitted: null, percentage_score: 3 }),
    submittedAt(before - 2, { status: 'not_submitted', percentage_score: 4 }),
    submittedAt(before - 3, { points: 0, grade: '', pass: false, percentage_score: 0 }),
  ]);
  expect(await ask(['q-1'])).toEqual(new Map([['q-1', { graded: 2, mean: 70.5 }]]));
  expect(await ask(['q-1'], { kind: 'failed' })).toEqual(new Map([['q-1', { graded: 1, mean: 81 }]]));
});

test('says that nothing was submitted in it', async () => {
  const { ask } = setUp(() => []);
  expect(await ask(['q-1'])).toEqual(new Map([['q-1', { graded: 0, mean: null }]]));
});

test('asks as background work, with a deadline, for ten quizzes at most', async () => {
  const { ask, list } = setUp(() => []);
  const weeks = await ask(Array.from({ length: 12 }, (_, index) => `q-${index}`));
  expect([...weeks.keys()]).toEqual(['q-0', 'q-1', 'q-2', 'q-3', 'q-4', 'q-5', 'q-6', 'q-7', 'q-8', 'q-9']);
  expect(list).toHaveBeenCalledTimes(10);
  for (const [, options] of list.mock.calls)
    expect(options).toEqual({ priority: 'background', deadline: before + 60_500 });
});

test('leaves out a quiz for which the service does not answer, and logs it', async () => {
  const { ask, lines } = setUp((quizId) => {
    if (quizId === 'q-1') throw new Error('no answer');
    return [];
  });
  expect([...(await ask(['q-1', 'q-2'])).keys()]).toEqual(['q-2']);
  expect(lines).toEqual([expect.stringMatching(/"quiz":"q-1".*without the week before/)]);
});
