import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownResult, roundedPercentage, roundedPoints, type Result } from '../../src/domain/result.ts';
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

const passed: Result = {
  outcome: 'passed',
  points: 9,
  availablePoints: 10,
  percentage: 90,
  grade: 'A',
  attempt: 2,
  durationSeconds: 245,
};
const unknown = { points: null, availablePoints: null, percentage: null };

describe('the known result', () => {
  test.each<[string, Partial<Result>, Partial<Result>]>([
    ['a graded response keeps its figures', {}, {}],
    [
      'a survey has no score',
      { outcome: 'not graded', points: 0, availablePoints: 0, percentage: 0, grade: ' ' },
      { ...unknown, grade: '' },
    ],
    ['an unmarked essay has no score', { outcome: 'unmarked', points: 0, percentage: 0, grade: '' }, unknown],
    ['points without a pass mark stay', { outcome: 'not graded', points: 6, percentage: 60 }, {}],
    [
      'nothing is made of points that the service does not say',
      { outcome: 'not graded', points: null, percentage: 0 },
      unknown,
    ],
    ['a percentage alone stays', { points: null, availablePoints: null }, { percentage: 90 }],
    ['0 points of a failed response stay', { outcome: 'failed', points: 0, percentage: 0, grade: 'F' }, {}],
    [
      'attempt 0 and a negative duration are unknown',
      { attempt: 0, durationSeconds: -1 },
      { attempt: null, durationSeconds: null },
    ],
    ['a duration of 0 s stays', { durationSeconds: 0 }, {}],
    [
      'tails of floating-point numbers are cut',
      { points: 0.30000000000000004, availablePoints: 1.005, percentage: 33.333333333333336 },
      { points: 0.3, availablePoints: 1, percentage: 33.3 },
    ],
  ])('%s', (_, given, known) => {
    expect(knownResult({ ...passed, ...given })).toEqual({ ...passed, ...given, ...known });
  });
});

test('a percentage has at most one decimal and points at most two, close to the given number', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      expect(String(roundedPercentage(value))).toMatch(/^-?\d+(\.\d)?$/);
      expect(String(roundedPoints(value))).toMatch(/^-?\d+(\.\d{1,2})?$/);
      expect(Math.abs(roundedPercentage(value) - value)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(Math.abs(roundedPoints(value) - value)).toBeLessThanOrEqual(0.005 + 1e-9);
      expect([roundedPercentage(value), roundedPoints(value)].some((rounded) => Object.is(rounded, -0))).toBe(false);
    }),
  );
});

test.each<[number, number, (0 | 1)?]>([
  [(100 * 1_999) / 2_000, 99.9],
  [99.999, 99.9],
  [100, 100],
  [0.001, 0.1],
  [0, 0],
  [99.94, 99.9],
  [(100 * 1_999) / 2_000, 99, 0],
  [0.4, 1, 0],
  [66.7, 67, 0],
  [100, 100, 0],
])('%d is shown as %d: only all is 100, and only none is 0', (percentage, shown, decimals) => {
  expect(roundedPercentage(percentage, decimals)).toBe(shown);
});
