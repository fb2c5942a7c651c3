import { digestOf } from '../../../../src/features/delivery/digests.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGraded } from '../../../../src/domain/submission-outcome.ts';
import { submission } from '../../../support/builders/alerts.ts';

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
