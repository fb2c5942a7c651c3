import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { histogramOf, statisticsOf } from '../../../src/features/results/statistics.ts';
import { quizResponse } from '../../support/builders/responses.ts';

const scored = (...percentages: number[]) =>
  percentages.map((percentage_score) => quizResponse({ percentage_score, pass: percentage_score >= 50 }));

describe('statistics', () => {
  test('have counts, mean, median, deviation, lowest and highest score', () => {
    expect(statisticsOf(scored(20, 40, 40, 40, 50, 50, 70, 90))).toEqual({
      submitted: 8,
      begun: 0,
      passed: 4,
      failed: 4,
      unmarked: 0,
      scores: { count: 8, mean: 50, median: 45, deviation: 20, lowest: 20, highest: 90 },
    });
  });

  test('count unsubmitted attempts separately, whatever their score', () => {
    const responses = [
      ...scored(80),
      quizResponse({ status: 'not_submitted', percentage_score: 0, pass: false }),
      quizResponse({ status: 'not_started', percentage_score: 0, pass: false }),
    ];
    expect(statisticsOf(responses)).toMatchObject({ submitted: 1, begun: 1, passed: 1, scores: { mean: 80 } });
  });

  test('have no scores without submissions', () => {
    expect(statisticsOf([])).toEqual({ submitted: 0, begun: 0, passed: 0, failed: 0, unmarked: 0, scores: undefined });
  });

  test('count ungraded attempts, and leave them out of the scores', () => {
    const survey = quizResponse({ points: 0, available_points: 0, percentage_score: 0, grade: '', pass: false });
    const essay = quizResponse({ points: 0, percentage_score: 0, grade: '', pass: false });
    const unscored = quizResponse({ percentage_score: null });
    expect(statisticsOf([...scored(80), survey, essay, unscored])).toMatchObject({
      submitted: 4,
      passed: 2,
      failed: 0,
      unmarked: 1,
      scores: { mean: 80, lowest: 80 },
    });
    expect(statisticsOf([survey, essay])).toMatchObject({ submitted: 2, passed: 0, failed: 0, scores: undefined });
  });

  test('have mean and median between lowest and highest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 }), (percentages) => {
        const { lowest, highest, mean, median, deviation } = statisticsOf(scored(...percentages)).scores!;
        for (const middle of [mean, median]) {
          expect(middle).toBeGreaterThanOrEqual(lowest - 1e-9);
          expect(middle).toBeLessThanOrEqual(highest + 1e-9);
        }
        expect(deviation).toBeLessThanOrEqual((highest - lowest) / 2 + 1e-9);
      }),
    );
  });
});

describe('a histogram', () => {
  test('has ten bins, and the last one includes 100', () => {
    const bins = histogramOf([0, 9, 10, 55, 89, 90, 99, 100]);
    expect(bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 1, 3]);
    expect(bins.map(({ from, to }) => `${from}–${to}`)).toEqual([
      '0–9',
      '10–19',
      '20–29',
      '30–39',
      '40–49',
      '50–59',
      '60–69',
      '70–79',
      '80–89',
      '90–100',
    ]);
  });

  test('counts every attempt once, including scores out of range', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -50, max: 150, noNaN: true })), (percentages) => {
        expect(histogramOf(percentages).reduce((sum, { count }) => sum + count, 0)).toBe(percentages.length);
      }),
    );
  });
});
