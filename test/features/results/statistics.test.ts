import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  histogramOf,
  statisticsOf,
  monthsChart,
  overTimeOf,
  triesFacts,
} from '../../../src/features/results/statistics.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { inEnglishThroughout } from '../../../src/domain/said.ts';

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

/** Attempts of a moment: how many passed with 80 %, and how many failed with 40 %. */
function attempts(day: string, passed: number, failed: number, attempt = 1) {
  const one = (isPass: boolean) =>
    quizResponse({
      date_submitted: new Date(`${day}T12:00:00Z`),
      attempt,
      pass: isPass,
      percentage_score: isPass ? 80 : 40,
      points: isPass ? 8 : 4,
      grade: isPass ? 'B' : 'F',
    });
  return [...Array.from({ length: passed }, () => one(true)), ...Array.from({ length: failed }, () => one(false))];
}

const chartOf = (responses: Parameters<typeof overTimeOf>[0], zone = 'UTC') =>
  inEnglishThroughout(monthsChart(overTimeOf(responses, zone), zone));

test('each month has its pass rate and its average, and one with fewer than five attempts is left out', () => {
  const chart = chartOf([
    ...attempts('2026-11-03', 9, 1),
    ...attempts('2026-08-20', 4, 1),
    ...attempts('2026-08-28', 1, 4),
    ...attempts('2026-09-10', 4, 0),
  ]);
  expect(chart?.points).toEqual([
    { label: 'Aug 2026', value: 50 },
    { label: 'Nov 2026', value: 90 },
  ]);
  expect(chart?.beside).toEqual({ name: 'Average', values: [60, 76] });
});

test('months are those of the reader’s zone, and a year of them', () => {
  const last = [...attempts('2026-12-15', 5, 0), ...attempts('2026-01-15', 5, 0), ...attempts('2025-12-15', 5, 0)];
  expect(chartOf(last)?.points.map(({ label }) => label)).toEqual(['Jan 2026', 'Dec 2026']);
  const night = attempts('2026-08-10', 5, 0).concat(
    Array.from({ length: 5 }, () => quizResponse({ date_submitted: new Date('2026-10-31T20:00:00Z') })),
  );
  expect(chartOf(night)?.points[1]?.label).toBe('Oct 2026');
  expect(chartOf(night, 'Asia/Tokyo')?.points[1]?.label).toBe('Nov 2026');
});

test('one month is no chart, and neither are attempts that are not graded or have no date', () => {
  expect(chartOf(attempts('2026-11-03', 9, 9))).toBeUndefined();
  const survey = Array.from({ length: 9 }, () =>
    quizResponse({
      date_submitted: new Date('2026-10-01T12:00:00Z'),
      points: 0,
      available_points: 0,
      grade: '',
      pass: false,
    }),
  );
  const undated = Array.from({ length: 9 }, () => quizResponse({ date_submitted: null }));
  expect(chartOf([...attempts('2026-11-03', 9, 9), ...survey, ...undated])).toBeUndefined();
});

test('second attempts stand beside first ones where there are five of each', () => {
  const some = [...attempts('2026-11-03', 3, 7), ...attempts('2026-11-05', 4, 0, 2)];
  const factsOf = (responses: Parameters<typeof overTimeOf>[0]) =>
    inEnglishThroughout(triesFacts(overTimeOf(responses, 'UTC')));
  expect(factsOf(some)).toEqual([]);
  expect(factsOf([...some, ...attempts('2026-11-06', 0, 1, 2), ...attempts('2026-11-07', 1, 0, 3)])).toEqual([
    ['First attempts', '30% passed, average 52%'],
    ['Second attempts', '80% passed, average 72%'],
  ]);
});
