import { expect, test } from 'vitest';
import { excuseFromCampaign } from '../../../../src/features/campaigns/operations/excuse-and-include.ts';
import { parseCommandLine } from '../../../support/parse-line.ts';

function readingsOf(line: string) {
  const read = parseCommandLine([excuseFromCampaign], '/quiz-campaign', `excuse ${line}`);
  return read.kind === 'operation' ? read : { inputs: [], rescues: [] };
}

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
  expect(readingsOf(line).inputs[0]).toEqual(input);
});

test('without a mark between them, the people can begin at any word', () => {
  expect(readingsOf('fire safety rosa because ill').inputs.filter(({ because }) => because)).toEqual([
    { campaign: ['fire safety'], people: ['rosa'], because: ['ill'] },
    { campaign: ['fire'], people: ['safety rosa'], because: ['ill'] },
    { campaign: ['rosa'], people: ['fire safety'], because: ['ill'] },
    { campaign: ['safety rosa'], people: ['fire'], because: ['ill'] },
  ]);
});

test('a long line has a bounded number of readings', () => {
  const { inputs, rescues } = readingsOf('from x '.repeat(1_000));
  expect(inputs.length + rescues.length).toBeLessThanOrEqual(20);
});
