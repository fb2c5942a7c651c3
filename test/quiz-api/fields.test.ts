import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, link, optionalUtcDate, utcDate } from '../../src/quiz-api/fields.ts';
import { isUtcDate } from '../../src/quiz-api/utc-date.ts';

describe('a date', () => {
  test('is parsed as UTC on a 24-hour clock', () => {
    const min = new Date('1000-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59Z');
    fc.assert(fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      date.setUTCMilliseconds(0);
      const written = date.toISOString().slice(0, 19).replace('T', ' ');

      expect(utcDate.parse(written)).toEqual(date);
    }));
  });

  test('is refused if it does not exist', () => {
    const texts = [
      '2023-02-29 10:00:00', '2024-04-31 10:00:00', '2024-13-01 10:00:00', '2024-00-10 10:00:00', '2024-01-00 10:00:00',
      '2024-01-01 24:00:00', '2024-01-01 10:60:00', '2024-01-01 10:00:60', '0099-12-31 10:00:00',
    ];
    expect(texts.filter((text) => isUtcDate(text))).toEqual([]);
  });

  test('is refused in any other format', () => {
    fc.assert(fc.property(fc.string(), (text) => {
      expect(isUtcDate(text)).toBe(false);
    }));
    const texts = ['2024-05-06', '2024-05-06T10:00:00Z', '06/05/2024 10:00:00', '2024-5-6 10:00:00', ' 2024-05-06 10:00:00'];
    expect(texts.filter((text) => isUtcDate(text))).toEqual([]);
  });

  test('can be a leap day', () => {
    expect(utcDate.parse('2024-02-29 23:59:59')).toEqual(new Date('2024-02-29T23:59:59Z'));
  });

  test.each([null, '', undefined])('is null for %j', (value) => {
    expect(optionalUtcDate.parse(value)).toBeNull();
  });

  test('is refused if it is neither a date nor empty, optional or not', () => {
    for (const value of ['soon', 7, {}]) expect(optionalUtcDate.safeParse(value).success).toBe(false);
    for (const value of ['soon', '', null, undefined]) expect(utcDate.safeParse(value).success).toBe(false);
  });
});

test.each([
  ['https://quiz.example/c/1', 'https://quiz.example/c/1'],
  ['http://quiz.example', 'http://quiz.example'],
  ['not_in_use', null],
  ['', null],
  [null, null],
  [undefined, null],
  ['javascript:alert(1)', null],
  ['ftp://quiz.example', null],
  ['quiz.example/c/1', null],
])('parses the link %j as %j', (written, read) => {
  expect(link.parse(written)).toBe(read);
});

test.each([[8, 8], ['8.00', 8], ['-0.5', -0.5], [66.67, 66.67]])('parses the number %j as %j', (written, read) => {
  expect(decimal.parse(written)).toBe(read);
});

test.each(['', ' ', 'eight', '8,00', '0x10', '1e3', 'Infinity', null, true, Number.NaN])('refuses %j as a number', (written) => {
  expect(decimal.safeParse(written).success).toBe(false);
});
