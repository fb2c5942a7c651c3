import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseResultsLine } from '../../../src/features/results/filtered-responses.ts';
import { growthOf } from '../../support/bounded-time.ts';

test.each<[string, readonly [string, string?][]]>([
  ['', [['']]],
  ['food', [['food']]],
  ['passed', [['', 'passed']]],
  ['food passed', [['food', 'passed']]],
  ['passed food', [['food', 'passed']]],
  ['food failed person:U1|rosa', [['food', 'failed person:U1|rosa']]],
  ['food since monday', [['food', 'since monday']]],
  [
    'food for passed',
    [
      ['food', 'passed'],
      ['food for', 'passed'],
      ['food', 'passed for'],
    ],
  ],
  [
    'food passed since 7d kitchen',
    [
      ['food kitchen', 'passed since 7d'],
      ['food', 'passed since 7d kitchen'],
    ],
  ],
  ['food safety rosa', [['food safety rosa'], ['food safety', 'rosa'], ['food', 'safety rosa']]],
  [
    'Safety for everybody',
    [['Safety for everybody'], ['Safety', 'everybody'], ['Safety for', 'everybody'], ['Safety', 'for everybody']],
  ],
  ['“Food safety” rosa almeida failed', [['Food safety', 'failed rosa almeida']]],
  [
    'Safety for “Rosa”',
    [['Safety', '“Rosa”'], ['Safety for Rosa'], ['Safety for', '“Rosa”'], ['Safety', 'for “Rosa”']],
  ],
  ['“Passed quizzes”', [['Passed quizzes']]],
  ['food “passed”', [['food passed'], ['food', '“passed”']]],
  ['history since 1999', [['history since 1999'], ['history since', '1999'], ['history', 'since 1999']]],
  ['channel:C1|training failed', [['#training', 'failed']]],
])('“%s” is read as %j', (line, readings) => {
  expect(parseResultsLine(line)).toEqual(
    readings.map(([quiz, filter]) => ({ quiz: [quiz], ...(filter !== undefined && { filter: [filter] }) })),
  );
});

test('any line has one to twenty readings, in little time', () => {
  const word = fc.oneof(
    fc.constantFrom('for', 'since', 'passed', '7d', '"', '“a b”', 'person:U1', ',', 'friday'),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
      (line) => {
        const readings = parseResultsLine(line);
        expect(readings.length).toBeGreaterThanOrEqual(1);
        expect(readings.length).toBeLessThanOrEqual(20);
      },
    ),
  );
  for (const piece of ['for ', 'since ', 'since friday ', 'a'])
    expect(growthOf((length) => void parseResultsLine(piece.repeat(length / piece.length)), 8_000)).toBeLessThan(20);
});
