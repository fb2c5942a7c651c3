import { describe, expect, test } from 'vitest';
import { isGraded, outcomeOf, type SubmissionOutcome } from '../../src/domain/submission-outcome.ts';

const failed = { points: 4, availablePoints: 10, grade: 'F', passed: false };

describe('the outcome of a submitted response', () => {
  test.each<[string, Partial<typeof failed> | Record<string, unknown>, SubmissionOutcome]>([
    ['a pass', { passed: true, points: 9, grade: 'A' }, 'passed'],
    ['a failure with a grade', {}, 'failed'],
    ['a failure with points and no grade', { grade: '' }, 'failed'],
    ['no points at all, with a grade', { points: 0 }, 'failed'],
    ['a survey: nothing to score and no grade', { points: 0, availablePoints: 0, grade: '' }, 'not graded'],
    [
      'a survey that the service calls passed',
      { points: 0, availablePoints: 0, grade: ' ', passed: true },
      'not graded',
    ],
    ['an essay that waits to be marked', { points: 0, grade: '' }, 'unmarked'],
    ['an essay of which the service says nothing yet', { points: 0, grade: '', passed: null }, 'unmarked'],
    ['points without a pass mark', { points: 6, grade: 'C', passed: null }, 'not graded'],
    ['nothing at all', { points: null, availablePoints: null, grade: '', passed: null }, 'not graded'],
    ['only a failure', { points: null, availablePoints: null, grade: '' }, 'failed'],
    ['only a pass', { points: null, availablePoints: null, grade: '', passed: true }, 'passed'],
  ])('%s', (_, marks, outcome) => {
    expect(outcomeOf({ ...failed, ...marks })).toBe(outcome);
  });

  test('only passed and failed are graded', () => {
    expect((['passed', 'failed', 'not graded', 'unmarked', null] as const).filter(isGraded)).toEqual([
      'passed',
      'failed',
    ]);
  });
});
