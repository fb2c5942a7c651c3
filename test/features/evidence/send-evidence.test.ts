import { expect, test } from 'vitest';
import { readPeriod } from '../../../src/features/evidence/send-evidence.ts';

const now = Date.parse('2026-11-25T15:00:00Z');
const clock = { nowMs: now, timeZone: 'Europe/Berlin' };
const iso = ({ since, until }: { since: number; until: number }) =>
  [since, until].map((at) => new Date(at).toISOString());

test.each([
  [{}, ['2025-11-25T15:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01' }, ['2025-12-31T23:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01', until: '2026-06-30' }, ['2025-12-31T23:00:00.000Z', '2026-06-30T22:00:00.000Z']],
  [{ until: '2026-06-30' }, ['2025-06-30T22:00:00.000Z', '2026-06-30T22:00:00.000Z']],
  [{ since: '90d' }, ['2026-08-27T14:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01', until: '2026-12-31' }, ['2025-12-31T23:00:00.000Z', '2026-11-25T15:00:00.000Z']],
])('reads %j on the clock of the person', (typed, period) => {
  expect(iso(readPeriod(typed, clock))).toEqual(period);
});

test.each([
  'last month',
  'letzten Monat',
  'letztem Monat',
  'le mois dernier',
  'el mes pasado',
  'vorige maand',
  'zeszłego miesiąca',
])('begins with the first day of the month before: since %s', (since) => {
  expect(iso(readPeriod({ since }, clock))[0]).toBe('2026-09-30T22:00:00.000Z');
});

test.each([
  { since: '2026-06-30', until: '2026-01-01' },
  { since: 'soon' },
  { until: 'whenever' },
  { since: '31 feb' },
])('refuses %j', (typed) => {
  expect(() => readPeriod(typed, clock)).toThrow();
});
