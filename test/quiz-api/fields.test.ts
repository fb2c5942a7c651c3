import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  count,
  dateOf,
  flag,
  htmlText,
  id,
  isUtcDate,
  link,
  optionalFlag,
  optionalId,
  optionalNumber,
  optionalText,
  text,
  usualText,
  accountDatesIn,
} from '../../src/quiz-api/fields.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { runs } from '../support/drawn.ts';

describe('a date in the usual form', () => {
  test('is read as UTC on a 24-hour clock', () => {
    const min = new Date('1000-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59Z');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        date.setUTCMilliseconds(0);
        const written = date.toISOString().slice(0, 19).replace('T', ' ');
        expect(isUtcDate(written)).toBe(true);
        expect(dateOf(written)).toEqual(date);
      }),
    );
  });

  test('exists', () => {
    const texts = [
      '2023-02-29 10:00:00, 2024-04-31 10:00:00, 2024-13-01 10:00:00, 2024-00-10 10:00:00',
      '2024-01-00 10:00:00, 2024-01-01 24:00:00, 2024-01-01 10:60:00, 2024-01-01 10:00:60',
      '0099-12-31 10:00:00',
    ].flatMap((line) => line.split(', '));
    expect(texts.filter((written) => isUtcDate(written))).toEqual([]);
  });
});

test.each([
  ['https://quiz.example/c/1', 'https://quiz.example/c/1'],
  ['http://quiz.example', 'http://quiz.example'],
  ['not_in_use', null],
  ['', null],
  [null, null],
  [undefined, null],
  [7, null],
  [['https://quiz.example'], null],
  ['javascript:alert(1)', null],
  ['ftp://quiz.example', null],
  ['quiz.example/c/1', null],
])('reads the link %j as %j', (written, read) => {
  expect(link.parse(written)).toBe(read);
});

test.each([
  [8, 8],
  ['8.00', 8],
  ['-0.5', -0.5],
  [66.67, 66.67],
  [33.333333333333336, 33.333333333333336],
  [' 7 ', 7],
  ['33.333333333333336', 33.333333333333336],
])('reads the number %j as %j', (written, read) => {
  expect(optionalNumber.parse(written)).toBe(read);
  expect(count.parse(written)).toBe(read);
});

test.each([
  '',
  ' ',
  'eight',
  '8,00',
  '0x10',
  '1e3',
  'Infinity',
  null,
  undefined,
  true,
  Number.NaN,
  '9'.repeat(400),
  [8],
  {},
])('reads no number from %j', (written) => {
  expect(optionalNumber.parse(written)).toBeNull();
  expect(count.parse(written)).toBe(0);
});

test.each([
  [true, true],
  ['true', true],
  ['True', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  ['FALSE ', false],
  [0, false],
  ['0', false],
])('reads the flag %j as %j', (written, read) => {
  expect(flag.parse(written)).toBe(read);
  expect(optionalFlag.parse(written)).toBe(read);
});

test.each([null, undefined, '', 'yes', 2, -1, {}, [true], ['1']])('reads no flag from %j', (written) => {
  expect(flag.parse(written)).toBe(false);
  expect(optionalFlag.parse(written)).toBeNull();
});

test.each([
  ['Ada', 'Ada'],
  [' Ada', ' Ada'],
  [4711, '4711'],
  [0, '0'],
  [true, 'true'],
])('reads the text %j as %j', (written, read) => {
  expect(text.parse(written)).toBe(read);
  expect(optionalText.parse(written)).toBe(read);
});

test.each([null, undefined, '', {}, [], ['Ada'], { text: 'Ada' }])('reads no text from %j', (written) => {
  expect(text.parse(written)).toBe('');
  expect(optionalText.parse(written)).toBeNull();
});

test.each([htmlText, usualText.or(text), text, optionalText])(
  'text is well-formed: half of a character is none',
  (read) => {
    expect(read.parse('Kim \ud83d')).toBe('Kim \ufffd');
    expect(read.parse('Kim 😀')).toBe('Kim 😀');
  },
);

test.each([
  ['q-1', 'q-1'],
  [700_401, '700401'],
  [0, '0'],
])('reads the id %j as %j', (written, read) => {
  expect(id.parse(written)).toBe(read);
  expect(optionalId.parse(written)).toBe(read);
});

test.each(['', '.', '..', '\ud800', null, undefined, true, Number.POSITIVE_INFINITY, {}, ['q-1']])(
  'reads no id from %j',
  (written) => {
    expect(id.safeParse(written).success).toBe(false);
    expect(optionalId.parse(written)).toBe('');
  },
);

const utc = accountDatesIn('UTC');
const denver = accountDatesIn('America/Denver');

test.each([
  ['2024-05-06 17:08:09', '2024-05-06T17:08:09.000Z'],
  ['2024-05-06T17:08:09', '2024-05-06T17:08:09.000Z'],
  ['2024-05-06T17:08', '2024-05-06T17:08:00.000Z'],
  ['2024-05-06T17:08:09.417', '2024-05-06T17:08:09.417Z'],
  ['2024-05-06 17:08:09.4171234', '2024-05-06T17:08:09.417Z'],
  ['2024-05-06T17:08:09Z', '2024-05-06T17:08:09.000Z'],
  ['2024-05-06T17:08:09-06:00', '2024-05-06T23:08:09.000Z'],
  ['2024-05-06T17:08:09.5+0530', '2024-05-06T11:38:09.500Z'],
  ['2024-05-06 17:08:09 +02', '2024-05-06T15:08:09.000Z'],
])('%j is the moment %s', (written, moment) => {
  expect(utc.moment.parse(written)?.toISOString()).toBe(moment);
  expect(utc.text.parse(written)).toBe(`${moment.slice(0, 10)} ${moment.slice(11, 19)}`);
});

test.each([
  null,
  undefined,
  '',
  '0001-01-01 00:00:00',
  '0001-01-01T00:00:00',
  'soon',
  '2024-05-06',
  '06/05/2024 17:08:09',
  '2023-02-29T10:00:00Z',
  1_715_015_289,
  {},
  [],
  ['2024-05-06 17:08:09'],
  '2024-05-06T25:00:00Z',
])('%j is no date', (written) => {
  for (const dates of [utc, denver]) {
    expect(dates.moment.parse(written)).toBeNull();
    expect(dates.text.parse(written)).toBeNull();
  }
});

test('any text at the ends of the calendar is a date or none, as a `Date` and as text', () => {
  const offset = fc.constantFrom('', 'Z', '+23:59', '-23:59', '+14');
  const day = fc.constantFrom(
    '1000-01-01',
    '9999-12-31',
    '1899-12-31',
    '1900-01-01',
    '2899-12-31',
    '2900-01-01',
    '0999-12-31',
  );
  fc.assert(
    fc.property(
      day,
      fc.constantFrom('00:00:00', '23:59:59'),
      offset,
      fc.constantFrom('UTC', 'America/Denver', 'Pacific/Apia'),
      (date, time, zone, timeZone) => {
        const dates = accountDatesIn(timeZone);
        const moment = dates.moment.parse(`${date}T${time}${zone}`);
        const written = dates.text.parse(`${date}T${time}${zone}`);
        expect(written === null || utc.moment.parse(written)?.getTime() === moment?.getTime()).toBe(true);
      },
    ),
  );
});

describe('a date without an offset is in the zone of the account', () => {
  test.each([
    ['2024-05-06 11:08:09', '2024-05-06T17:08:09.000Z'],
    ['2024-12-06T11:08:09.250', '2024-12-06T18:08:09.250Z'],
    ['2024-12-06T11:08:09Z', '2024-12-06T11:08:09.000Z'],
    ['2024-12-06T11:08:09+01:00', '2024-12-06T10:08:09.000Z'],
  ])('%s in Denver', (written, moment) => {
    expect(denver.moment.parse(written)?.toISOString()).toBe(moment);
  });

  test('a time that comes twice is the first, and a skipped time is the end of the gap', () => {
    expect(denver.moment.parse('2024-11-03 01:30:00')?.toISOString()).toBe('2024-11-03T07:30:00.000Z');
    expect(denver.moment.parse('2024-11-03 02:00:00')?.toISOString()).toBe('2024-11-03T09:00:00.000Z');
    expect(denver.moment.parse('2024-03-10 02:30:00')?.toISOString()).toBe('2024-03-10T09:00:00.000Z');
    expect(accountDatesIn('Pacific/Apia').moment.parse('2011-12-30 12:00:00')?.toISOString()).toBe(
      '2011-12-30T10:00:00.000Z',
    );
  });

  test('every second of a year is read as by the clock of the zone', () => {
    const zones = [
      'America/Denver',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/Havana',
    ];
    const moments = fc.date({
      min: new Date('2023-01-01T00:00:00Z'),
      max: new Date('2026-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (timeZone, date) => {
        date.setUTCMilliseconds(0);
        const written = date.toISOString().slice(0, 19).replace('T', ' ');
        expect(accountDatesIn(timeZone).moment.parse(written)?.getTime()).toBe(
          wallClock(timeZone).firstMomentOf(date.getTime()),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test('an unknown zone is refused', () => {
    expect(() => accountDatesIn('Mars/Olympus')).toThrow(RangeError);
  });
});
