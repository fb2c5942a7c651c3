import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { drawCampaigns } from './same-people.ts';

test('every screen, message and file names and counts the same people in each group, at any moment and in every language', async () => {
  const seen = await drawCampaigns(48, { seed, isInEach: false });
  expect(seen.size).toBeGreaterThan(6);
});
