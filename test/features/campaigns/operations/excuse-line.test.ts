import { expect, test } from 'vitest';
import { parseExcuseLine } from '../../../../src/features/campaigns/operations/excuse-line.ts';

test.each([
  [
    'fire safety person:U1|rosa because on leave',
    { campaign: ['fire safety'], people: ['person:U1|rosa'], because: ['on leave'] },
  ],
  [
    'fire safety person:U1|rosa, Kim and Sam reason: parental leave',
    { campaign: ['fire safety'], people: ['person:U1|rosa', 'Kim', 'Sam'], because: ['parental leave'] },
  ],
  [
    '"Fire safety" Rosa Almeida because "on leave"',
    { campaign: ['Fire safety'], people: ['Rosa Almeida'], because: ['on leave'] },
  ],
  [
    'Rosa and Kim from fire safety because they left',
    { campaign: ['fire safety'], people: ['Rosa', 'Kim'], because: ['they left'] },
  ],
  ['fire rosa', { campaign: ['fire'], people: ['rosa'] }],
  ['fire', { campaign: ['fire'] }],
  ['', {}],
])('“%s” is first read as %j', (line, input) => {
  expect(parseExcuseLine(line)[0]).toEqual(input);
});

test('without a mark between them, the people can begin at any word', () => {
  expect(parseExcuseLine('fire safety rosa because ill')).toEqual([
    { campaign: ['fire safety'], people: ['rosa'], because: ['ill'] },
    { campaign: ['fire'], people: ['safety rosa'], because: ['ill'] },
    { campaign: ['rosa'], people: ['fire safety'], because: ['ill'] },
    { campaign: ['safety rosa'], people: ['fire'], because: ['ill'] },
  ]);
});

test('a long line has a bounded number of readings', () => {
  expect(parseExcuseLine('from x '.repeat(1_000))).toHaveLength(20);
});
