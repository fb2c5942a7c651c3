import { expect, test } from 'vitest';
import { diagnoseHolidays, isHoliday, readHolidays } from '../../src/time/working-hours.ts';

const now = Date.parse('2026-11-23T10:00:00Z');
const { holidays } = readHolidays(['2026-12-25', 'europe/berlin:2026-10-03', 'Asia/Kolkata: 2027-01-26']);

test.each([
  ['2026-12-25', 'Europe/Berlin', true],
  ['2026-12-25', 'Asia/Tokyo', true],
  ['2026-10-03', 'Europe/Berlin', true],
  ['2026-10-03', 'Europe/Paris', false],
  ['2026-10-03', 'UTC', false],
  ['2027-01-26', 'Asia/Kolkata', true],
  // Another name of the same zone.
  ['2027-01-26', 'Asia/Calcutta', true],
  ['2026-12-24', 'Europe/Berlin', false],
])('%s in %s: %s', (day, zone, expected) => {
  expect(isHoliday(day, zone, holidays)).toBe(expected);
});

test.each([
  ['2026-02-30', ['2026-02-30 names no day that exists']],
  ['Europe/Berln:2026-10-03', ['Europe/Berln:2026-10-03 names no time zone that exists']],
  ['+02:00:2026-10-03', ['+02:00:2026-10-03 names no time zone that exists']],
  [':2026-10-03', [':2026-10-03 names no time zone that exists']],
  ['2026-10-03:Europe/Berlin', ['2026-10-03:Europe/Berlin names no day that exists']],
  ['Europe/Berlin', ['Europe/Berlin names no day that exists']],
  ['Europe/Berlin:2026-10-03', []],
])('what is wrong with %s', (entry, problems) => {
  expect(readHolidays([entry]).problems).toEqual(problems);
});

test('the doctor says how many days are to come, and finds that none is', () => {
  expect(diagnoseHolidays(new Set(), now)).toEqual([]);
  expect(
    diagnoseHolidays(readHolidays(['2026-12-24', '2026-11-23', 'UTC:2026-12-31', '2026-11-22']).holidays, now),
  ).toEqual([
    { state: 'right', text: 'HOLIDAYS: days to come on which campaigns write to nobody: 2 for everyone, 1 in UTC' },
  ]);
  expect(diagnoseHolidays(readHolidays(['2025-12-25', 'Europe/Berlin:2026-10-03']).holidays, now)).toEqual([
    { state: 'fault', text: expect.stringContaining('add the next days') },
  ]);
});
