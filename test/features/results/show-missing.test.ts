import { expect, test } from 'vitest';
import { catalog } from '../../../src/operations/catalog.ts';
import { parseCommandLine } from '../../support/parse-line.ts';

function inputsOf(line: string) {
  const read = parseCommandLine(catalog, '/quiz', `missing ${line}`);
  return read.kind === 'operation' ? read.inputs : [];
}

test.each([
  ['food in kitchen', { quiz: ['food'], group: ['kitchen'] }],
  ['welcome in english in night shift', { quiz: ['welcome in english'], group: ['night shift'] }],
  ['food hygiene', { quiz: ['food hygiene'] }],
  ['', { quiz: [''] }],
])('“%s” is first read as %j', (line, input) => {
  expect(inputsOf(line)[0]).toEqual(input);
});

test('a line without “in” is read as a quiz and a group, too, in either order', () => {
  expect(inputsOf('food night shift')).toEqual([
    { quiz: ['food night shift'] },
    { quiz: ['food night'], group: ['shift'] },
    { quiz: ['food'], group: ['night shift'] },
    { quiz: ['shift'], group: ['food night'] },
    { quiz: ['night shift'], group: ['food'] },
  ]);
  expect(inputsOf('"food hygiene" night shift')).toContainEqual({ quiz: ['food hygiene'], group: ['night shift'] });
});

test('a long line has a bounded number of readings', () => {
  expect(inputsOf('food in '.repeat(1_000))).toHaveLength(20);
});
