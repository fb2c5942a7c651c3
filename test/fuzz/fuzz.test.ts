import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { fuzzRuns } from './all.ts';
import { isFlat } from './run.ts';
import { leftToCi } from '../support/drawn.ts';

test.skipIf(leftToCi).each(fuzzRuns)(
  '$what cause no crash and no hang, and do only what they may',
  async ({ run, short, reached }) => {
    const row = await run({ count: short, seed });
    expect(Object.keys(row.outcomes)).toEqual(expect.arrayContaining([...reached]));
    expect(row).toSatisfy(isFlat);
  },
  60_000,
);
