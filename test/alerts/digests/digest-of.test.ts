import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from '../../../src/alerts/digests/digest-of.ts';
import { submission } from '../../support/builders/alerts.ts';

const period = { from: 1_000, to: 2_000 };

test('a digest has the quiz with most submissions first, with counts, mean, percentages and who did not pass', () => {
  const submissions = [
    submission({ quizId: 'q-2', quizName: 'First aid', percentage: 55, outcome: 'failed', name: 'Tom Reed' }),
    submission({ percentage: 90 }),
    submission({ quizName: 'Fire safety 2026', percentage: 41, outcome: 'failed', name: 'Mei Tanaka' }),
  ];
  expect(digestOf(submissions, period, new Map([['q-1', { submitted: 3, mean: 60 }]]))).toEqual({
    from: 1_000,
    to: 2_000,
    quizzes: [
      { quizId: 'q-1', quizName: 'Fire safety 2026', submitted: 2, passed: 1, mean: 65.5, weekBefore: { submitted: 3, mean: 60 }, percentages: [90, 41], failed: ['Mei Tanaka'] },
      { quizId: 'q-2', quizName: 'First aid', submitted: 1, passed: 0, mean: 55, percentages: [55], failed: ['Tom Reed'] },
    ],
  });
});

test('every submission is in a digest once', () => {
  const submissions = fc.record({ quizId: fc.constantFrom('q-1', 'q-2', 'q-3'), outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'), percentage: fc.integer({ min: 0, max: 100 }) }).map(submission);
  fc.assert(
    fc.property(fc.array(submissions, { maxLength: 50 }), (all) => {
      const { quizzes } = digestOf(all, period, new Map());
      const inDigest = new Map(quizzes.map(({ quizId, percentages }) => [quizId, percentages]));
      const submitted = Map.groupBy(all, ({ quizId }) => quizId);
      expect(inDigest).toEqual(new Map([...submitted].map(([quizId, own]) => [quizId, own.map(({ percentage }) => percentage)])));
      for (const quiz of quizzes) {
        expect(quiz.percentages).toHaveLength(quiz.submitted);
        expect(quiz.passed + quiz.failed.length).toBe(quiz.submitted);
      }
    }),
  );
});
