import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLimit } from '../../../src/slack/trial/try-sizes.ts';

const upTo =
  (limit: number, asked: number[] = []) =>
  async (size: number) => {
    asked.push(size);
    return size > limit ? 'too_long' : undefined;
  };

test('finds every limit to within its step, and asks for no more than the most', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 1, max: 50 }),
      async (relied, above, limit, step) => {
        const most = relied + above;
        const asked: number[] = [];
        const { taken, refused } = await findLimit({ relied, most, step }, upTo(limit, asked));
        expect(Math.max(...asked)).toBeLessThanOrEqual(most);
        expect(refused === undefined ? most - taken : Math.max(0, refused.size - taken - step)).toBe(0);
        expect(taken).toBeLessThanOrEqual(limit);
        expect(refused?.size ?? Infinity).toBeGreaterThan(limit);
      },
    ),
  );
});

test('asks twice where the limit is the one that is relied on', async () => {
  const asked: number[] = [];
  expect(await findLimit({ relied: 3_000, most: 12_000, step: 1 }, upTo(3_000, asked))).toEqual({
    taken: 3_000,
    refused: { size: 3_001, code: 'too_long' },
  });
  expect(asked).toEqual([3_000, 3_001]);
});
