import { expect, test } from 'vitest';
import { parseMissingLine } from '../../../src/features/results/show-missing.ts';

test.each([
  ['food in kitchen', { quiz: ['food'], group: ['kitchen'] }],
  ['welcome in english in night shift', { quiz: ['welcome in english'], group: ['night shift'] }],
  ['food hygiene', { quiz: ['food hygiene'] }],
  ['"food hygiene" night shift', { quiz: ['food hygiene'], group: ['night shift'] }],
  ['', { quiz: [''] }],
])('“%s” is first read as %j', (line, input) => {
  expect(parseMissingLine(line)[0]).toEqual(input);
});

test('a line without “in” is read as a quiz and a group, too, in either order', () => {
  expect(parseMissingLine('food night shift')).toEqual([
    { quiz: ['food night shift'] },
    { quiz: ['food night'], group: ['shift'] },
    { quiz: ['food'], group: ['night shift'] },
    { quiz: ['shift'], group: ['food night'] },
    { quiz: ['night shift'], group: ['food'] },
  ]);
});

test('a long line has a bounded number of readings', () => {
  expect(parseMissingLine('in '.repeat(1_000))).toHaveLength(20);
});
