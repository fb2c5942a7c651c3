import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { compareLives } from './compare.ts';
import { drawCampaigns } from './same-people.ts';

test('on each day of people’s lives, the rule says what its page in the documents says', () => {
  const { differences, states } = compareLives(25, seed);
  expect(differences).toEqual([]);
  expect(Object.keys(states)).toHaveLength(10);
});

test('every screen, message and file names and counts the same people in each group, at any moment and in every language', async () => {
  const seen = await drawCampaigns(48, { seed, isInEach: false });
  expect(seen.size).toBeGreaterThan(6);
});
