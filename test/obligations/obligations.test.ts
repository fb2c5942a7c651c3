import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { compareLives } from './compare.ts';
import { mends } from './mends.ts';

test('on each day of people’s lives, the rule says what its page in the documents says', () => {
  const { differences, states } = compareLives(25, seed);
  expect(differences).toEqual([]);
  expect(Object.keys(states)).toHaveLength(10);
});

test.each(mends)('what takes out “$name” stands in the sources once, and is not what replaces it', ({ edits }) => {
  for (const { file, text, instead } of edits) {
    expect(readFileSync(file, 'utf8').split(text), `${file}: ${text}`).toHaveLength(2);
    expect(instead).not.toBe(text);
  }
});
