import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseResultsLine } from '../../../src/features/results/filter.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import { growthOf } from '../../support/measurements.ts';

test.each<[string, readonly [quiz: string, person?: string][], TextInput?]>([
  ['', [['']]],
  ['food', [['food']]],
  ['passed', [['']], { outcome: ['passed'] }],
  ['food passed', [['food']], { outcome: ['passed'] }],
  ['passed food', [['food']], { outcome: ['passed'] }],
  ['food failed person:U1|rosa', [['food']], { outcome: ['failed'], user: ['person:U1|rosa'] }],
  ['food since monday', [['food']], { period: ['since monday'] }],
  ['food for passed', [['food'], ['food for'], ['food', 'for']], { outcome: ['passed'] }],
  [
    'food passed since 7d kitchen',
    [['food kitchen'], ['food', 'kitchen']],
    { outcome: ['passed'], period: ['since 7d'] },
  ],
  ['food safety rosa', [['food safety rosa'], ['food safety', 'rosa'], ['food', 'safety rosa']]],
  [
    'Safety for everybody',
    [['Safety for everybody'], ['Safety', 'everybody'], ['Safety for', 'everybody'], ['Safety', 'for everybody']],
  ],
  ['“Food safety” rosa almeida failed', [['Food safety', 'rosa almeida']], { outcome: ['failed'] }],
  ['Safety for “Rosa”', [['Safety', 'Rosa'], ['Safety for Rosa'], ['Safety for', 'Rosa'], ['Safety', 'for Rosa']]],
  ['“Passed quizzes”', [['Passed quizzes']]],
  ['food “passed”', [['food passed'], ['food', 'passed']]],

  ['channel:C1|training failed', [['#training']], { outcome: ['failed'] }],
])('“%s” is read as %j', (line, readings, values = {}) => {
  expect(parseResultsLine(line)).toEqual(
    readings.map(([quiz, person]) => ({ quiz: [quiz], ...values, ...(person !== undefined && { person: [person] }) })),
  );
});

test('what follows “since” and is no time is part of the quiz, or refused as a time', () => {
  expect(parseResultsLine('history since 1999')).toEqual([
    { quiz: ['history since 1999'] },
    { quiz: ['history since'], person: ['1999'] },
    { quiz: ['history'], period: ['since 1999'] },
  ]);
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
