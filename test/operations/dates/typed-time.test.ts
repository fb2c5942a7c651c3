import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestTime, parseTime, parseTimeOfDay } from '../../../src/operations/dates/time-expression.ts';
import { readTime, timeInWords, type TimeSetting } from '../../../src/operations/dates/typed-time.ts';
import { dateForms, writtenDate, type DateForm } from '../../../src/time/date-words.ts';
import { locales } from '../../../src/words/languages.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { runs } from '../../support/drawn.ts';

/** A Sunday. */
const nowMs = Date.parse('2026-11-22T10:15:30Z');
const read = (text: string, setting: Partial<TimeSetting> = {}) =>
  readTime(text, { nowMs, timeZone: 'UTC', direction: 'future', ...setting });
const inIso = (text: string, setting: Partial<TimeSetting> = {}) => {
  const time = read(text, setting);
  return time?.kind === 'moment' ? new Date(time.atMs).toISOString().replace(/(:00)?\.000Z$/, '') : time?.message;
};

test.each([
  ['today', '2026-11-22T00:00', '2026-11-22T00:00'],
  ['Tomorrow', '2026-11-23T00:00', '2026-11-23T00:00'],
  ['yesterday', '2026-11-21T00:00', '2026-11-21T00:00'],
  ['friday', '2026-11-27T00:00', '2026-11-20T00:00'],
  ['fri', '2026-11-27T00:00', '2026-11-20T00:00'],
  ['sunday', '2026-11-29T00:00', '2026-11-22T00:00'],
  ['on thurs', '2026-11-26T00:00', '2026-11-19T00:00'],
  ['sun 11am', '2026-11-22T11:00', '2026-11-15T11:00'],
  ['next friday', '2026-11-27T00:00', '2026-11-27T00:00'],
  ['last sunday', '2026-11-15T00:00', '2026-11-15T00:00'],
  ['last friday', '2026-11-20T00:00', '2026-11-20T00:00'],
  ['next week', '2026-11-23T00:00', '2026-11-23T00:00'],
  ['last week', '2026-11-09T00:00', '2026-11-09T00:00'],
  ['15 dec', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['dec 15', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['15th of December', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['22 nov', '2026-11-22T00:00', '2026-11-22T00:00'],
  ['1 nov', '2027-11-01T00:00', '2026-11-01T00:00'],
  ['november', '2027-11-01T00:00', '2026-11-01T00:00'],
  ['29 feb', '2028-02-29T00:00', '2024-02-29T00:00'],
  ['15 dec 2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['Dec 15, 2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['15.12.', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['15.12.2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['2026-12-15', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['2026-12-15T08:30', '2026-12-15T08:30', '2026-12-15T08:30'],
  ['25/12', '2026-12-25T00:00', '2025-12-25T00:00'],
  ['12/25/2026', '2026-12-25T00:00', '2026-12-25T00:00'],
  ['8am', '2026-11-23T08:00', '2026-11-22T08:00'],
  ['8:30 pm', '2026-11-22T20:30', '2026-11-21T20:30'],
  ['17:00', '2026-11-22T17:00', '2026-11-21T17:00'],
  ['noon', '2026-11-22T12:00', '2026-11-21T12:00'],
  ['12am', '2026-11-23T00:00', '2026-11-22T00:00'],
  ['tomorrow 8am', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['tomorrow at 8 a.m.', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['8am tomorrow', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['15 dec 17:00', '2026-12-15T17:00', '2025-12-15T17:00'],
  ['Fri 27 Nov, 08:00', '2026-11-27T08:00', '2025-11-27T08:00'],
  ['2h', '2026-11-22T12:15:30', '2026-11-22T08:15:30'],
  ['30m', '2026-11-22T10:45:30', '2026-11-22T09:45:30'],
  ['3d', '2026-11-25T10:15:30', '2026-11-19T10:15:30'],
  ['1w', '2026-11-29T10:15:30', '2026-11-15T10:15:30'],
  ['in 2 hours', '2026-11-22T12:15:30', '2026-11-22T08:15:30'],
  ['an hour', '2026-11-22T11:15:30', '2026-11-22T09:15:30'],
  ['2 days ago', '2026-11-20T10:15:30', '2026-11-20T10:15:30'],
])('“%s” is %s in the future, %s in the past', (text, future, past) => {
  expect([inIso(text), inIso(text, { direction: 'past' })]).toEqual([future, past]);
});

test.each([
  ['3/4', 'That could be two different dates or times. Type it like “3 apr”.'],
  ['11/4/2026', 'That could be two different dates or times. Type it like “11 apr 2026”.'],
  ['8.10', 'That could be two different dates or times. Type it like “8:10”.'],
  ['30 feb', 'There’s no 30 Feb.'],
  ['2026-02-29', 'There’s no 29 Feb.'],
  ['99999w', 'That’s too many days.'],
])('“%s” gets the sentence “%s”', (text, message) => {
  expect(read(text)).toMatchObject({ kind: 'problem', message });
});

test.each([
  '',
  'kitchen',
  '7',
  '8',
  '15',
  '25:00',
  '8:60',
  '13pm',
  '0am',
  'dec 32',
  '15 foo',
  'next',
  'in',
  'tomorrow kitchen',
  '2026-13-01',
  '12345-01-01',
  'next tomorrow',
  '0/4',
  'last 3 words of a quiz',
])('“%s” is no time', (text) => {
  expect(read(text)).toBeUndefined();
});

test('a day without a year is the next or the last on which the date exists, and today’s date is today', () => {
  expect(inIso('29 feb', { nowMs: Date.parse('2097-01-01T00:00:00Z') })).toBe('2104-02-29T00:00');
  expect(inIso('22 nov 9am')).toBe('2027-11-22T09:00');
});

test('“next friday” from Monday to Sunday is the Friday of the week after', () => {
  const days = Array.from({ length: 8 }, (_, index) => Date.parse('2026-11-23T12:00:00Z') + index * 86_400_000);
  expect(days.map((day) => inIso('next friday', { nowMs: day })?.slice(0, 10))).toEqual([
    ...Array.from({ length: 7 }, () => '2026-12-04'),
    '2026-12-11',
  ]);
});

describe('in a time zone', () => {
  test('days begin at its midnight', () => {
    expect(inIso('tomorrow', { timeZone: 'Asia/Tokyo' })).toBe('2026-11-22T15:00');
    expect(inIso('8am', { timeZone: 'America/New_York' })).toBe('2026-11-22T13:00');
  });

  test('days are days of the wall clock, and hours are hours', () => {
    const beforeTheChange = Date.parse('2026-10-24T10:00:00Z');
    const berlin = { timeZone: 'Europe/Berlin', nowMs: beforeTheChange };
    expect(inIso('1d', berlin)).toBe('2026-10-25T11:00');
    expect(inIso('24h', berlin)).toBe('2026-10-25T10:00');
  });

  test('a time that a clock change skips is the first moment after the gap', () => {
    expect(inIso('29 mar 2:30am', { timeZone: 'Europe/Berlin', nowMs: Date.parse('2026-03-28T12:00:00Z') })).toBe(
      '2026-03-29T01:00',
    );
  });
});

test('the longest moment at the beginning of some words is taken', () => {
  const lengthIn = (line: string) => longestTime(line.split(' '))?.length;
  expect(
    ['7d kitchen', '15 dec kitchen', '15 dec 2026 8:30 pm kitchen', 'next friday', 'kitchen 7d', 'monday monday'].map(
      lengthIn,
    ),
  ).toEqual([1, 2, 5, 2, undefined, 1]);
});

test.each([
  ['8am', 480],
  ['8:30 pm', 1_230],
  ['08.30', 510],
  ['12 AM', 0],
  ['noon', 720],
  ['midnight', 0],
  ['23:59', 1_439],
])('“%s” is a time of day', (text, minutes) => {
  expect(parseTimeOfDay(text)).toBe(minutes);
});

test.each(['8', '24:00', '13pm', 'morning', ''])('“%s” is no time of day', (text) => {
  expect(parseTimeOfDay(text)).toBeUndefined();
});

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
);
const moments = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2037-12-31') });

test('any moment is read back from its words, by the wall clock', () => {
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 60_000, max: 3 * 365 * 86_400_000 }),
      zones,
      fc.constantFrom('past' as const, 'future' as const),
      (now, apart, timeZone, direction) => {
        const atMs = direction === 'future' ? now + apart : now - apart;
        const words = timeInWords(atMs, { nowMs: now, timeZone });
        const time = readTime(words, { nowMs: now, timeZone, direction });
        const { shownAt } = wallClock(timeZone);
        const toTheMinute = Math.floor(shownAt(atMs) / 60_000) * 60_000;
        // Around a change of the clock, the same minute of the wall clock can be before and after now.
        fc.pre(direction === 'future' ? toTheMinute > shownAt(now) : toTheMinute <= shownAt(now));
        expect(time).toEqual({ kind: 'moment', atMs: expect.any(Number), isDay: false });
        expect(time?.kind === 'moment' && shownAt(time.atMs)).toBe(toTheMinute);
      },
    ),
  );
});

test.each(Object.entries(locales))('what the bot writes of a moment in %s is read back as that moment', (_, locale) => {
  const forms = Object.keys(dateForms).filter((form) => !form.startsWith('month')) as DateForm[];
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 2 * 24 * 60, max: 300 * 24 * 60 }),
      zones,
      fc.constantFrom(...forms),
      (now, minutes, zone, form) => {
        const begun = Math.floor(now / 60_000) * 60_000;
        const atMs = begun + minutes * 60_000;
        const { shownAt, firstMomentOf } = wallClock(zone);
        // What a clock that is put back shows twice is the first of both.
        fc.pre(firstMomentOf(shownAt(atMs)) === atMs);
        const isToTheMinute = /time|moment/i.test(form);
        const day = firstMomentOf(Math.floor(shownAt(atMs) / 86_400_000) * 86_400_000);
        const text = writtenDate(locale, zone, { form, atMs, zone }) ?? '';
        expect({ text, ...readTime(text, { nowMs: begun, timeZone: zone, direction: 'future' }) }).toEqual({
          text,
          kind: 'moment',
          atMs: isToTheMinute ? atMs : day,
          isDay: !isToTheMinute,
        });
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test.each([
  ['15 dec 17:00 UTC', '2026-12-15T17:00:00.000Z'],
  ['17:00 utc+5:30', '2026-11-25T11:30:00.000Z'],
  ['15. Dez. 2026, 17:00 MEZ', '2026-12-15T16:00:00.000Z'],
  ['15 jul 17:00 CEST', '2027-07-15T15:00:00.000Z'],
  ['15 dec 17:00 EST', 'EST isn’t your time zone. Type the time in yours, or in UTC.'],
  ['15 dec EST', undefined],
])('%s, typed in Berlin, is %s', (text, means) => {
  const time = readTime(text, {
    nowMs: Date.parse('2026-11-25T10:00:00Z'),
    timeZone: 'Europe/Berlin',
    direction: 'future',
  });
  expect(time?.kind === 'moment' ? new Date(time.atMs).toISOString() : time?.message).toBe(means);
});

test('whatever is typed, reading it is total, and the direction holds for moments that name no day or year', () => {
  const words = fc.constantFrom(
    'today',
    'tomorrow',
    'next',
    'last',
    'friday',
    'sun',
    'dec',
    'feb',
    '15',
    '29',
    '30',
    '8am',
    '8:30',
    'pm',
    '17:00',
    'at',
    'on',
    'in',
    '2h',
    '3',
    'weeks',
    'ago',
    '15.12.',
    '3/4',
    '2026-12-15',
    'week',
    'of',
    'the',
    ',',
    '🦊',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(words, { maxLength: 9 }).map((some) => some.join(' ')),
        fc.string(),
      ),
      moments,
      zones,
      (text, now, timeZone) => {
        const time = readTime(text, { nowMs: now, timeZone, direction: 'future' });
        expect(time === undefined).toBe(parseTime(text.trim().split(/\s+/)) === undefined);
        expect(time?.kind !== 'moment' || Number.isInteger(time.atMs)).toBe(true);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
      fc.constantFrom('', ' 8am', ' 23:59'),
      moments,
      zones,
      (weekday, time, now, timeZone) => {
        const next = readTime(weekday + time, { nowMs: now, timeZone, direction: 'future' });
        const last = readTime(weekday + time, { nowMs: now, timeZone, direction: 'past' });
        const { shownAt } = wallClock(timeZone);
        expect(next?.kind === 'moment' && shownAt(next.atMs) > shownAt(now)).toBe(true);
        expect(last?.kind === 'moment' && shownAt(last.atMs) - shownAt(now) < 26 * 3_600_000).toBe(true);
      },
    ),
  );
});

describe('a day', () => {
  const shown = (text: string) => {
    const setting = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'UTC', direction: 'future' } as const;
    const time = readTime(text, setting);
    return time?.kind === 'moment' ? new Date(time.atMs).toISOString().slice(0, 16) : time?.meanings;
  };

  test.each([
    ['mon 18 dec', ['18 dec 2026', '21 dec 2026']],
    ['thursday 15 december', ['15 dec 2026', '17 dec 2026']],
    ['Montag, 18. Dezember', ['18 dec 2026', '21 dec 2026']],
    ['fri 18 dec', '2026-12-18T00:00'],
    ['hasta mar', ['tuesday', '1 march']],
    ['bis 15.12', ['15:12', '15 dec']],
    ['3-4-2026', ['3 apr 2026', '4 mar 2026']],
    ['1h30', ['90min', '1:30']],
  ])('that does not fit its weekday, or is two, is asked: “%s”', (text, meant) => {
    expect(shown(text)).toEqual(meant);
  });
});
