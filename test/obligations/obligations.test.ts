import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { compareLives } from './compare.ts';

test('on each day of people’s lives, the rule says what its page in the documents says', () => {
  const { differences, states } = compareLives(25, seed);
  expect(differences).toEqual([]);
  expect(Object.keys(states)).toHaveLength(10);
});
