import { expect, test } from 'vitest';
import { leftToCi } from '../support/drawn.ts';
import { seed } from '../support/seeded-random.ts';
import { runWorld } from './run.ts';

test.skipIf(leftToCi)(
  'in a world of 60 days, reports, boards and messages agree with what Slack and the quiz service saw',
  async () => {
    const { counts, differences } = await runWorld(seed, { campaigns: 5 });
    expect(differences).toEqual([]);
    const { campaigns, messages, lines, boards } = counts;
    for (const count of [campaigns, messages, lines, boards]) expect(count).toBeGreaterThan(3);
  },
);
