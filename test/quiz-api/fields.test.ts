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
} from '../../src/quiz-api/fields.ts';

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
      '2023-02-29 10:00:00',
      '2024-04-31 10:00:00',
      '2024-13-01 10:00:00',
      '2024-00-10 10:00:00',
      '2024-01-00 10:00:00',
      '2024-01-01 24:00:00',
      '2024-01-01 10:60:00',
      '2024-01-01 10:00:60',
      '0099-12-31 10:00:00',
    ];
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
