import { expect, test } from 'vitest';
import { monthsChart, overTimeOf, triesFacts } from '../../../src/features/results/statistics.ts';
import { inEnglishThroughout } from '../../../src/domain/said.ts';
import { quizResponse } from '../../support/builders/responses.ts';

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
