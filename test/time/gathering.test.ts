import { expect, test } from 'vitest';
import { createGathering } from '../../src/time/timers.ts';

/** Doubles numbers, and keeps which came together. */
function doubling(atMost: number) {
  const calls: number[][] = [];
  const double = createGathering(atMost, async (numbers: readonly number[]) => {
    calls.push([...numbers]);
    if (numbers.includes(13)) throw new Error('no doubling of 13');
    return numbers.map((number) => 2 * number);
  });
  return { double, calls };
}

test('what comes in one turn of the event loop is done together, and each has its own answer', async () => {
  const { double, calls } = doubling(100);
  const microtask = Promise.resolve().then(() => double(3));
  expect(await Promise.all([double(1), double(2), microtask])).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(calls).toEqual([[1, 2, 3], [4]]);
});

test('more than belong into one call are split, in their order', async () => {
  const { double, calls } = doubling(2);
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(calls).toEqual([[1, 2], [3, 4], [5]]);
});

test('a call that fails fails all that share it, and no other', async () => {
  const { double } = doubling(2);
  const results = await Promise.allSettled([1, 13, 2].map(double));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await double(1)).toBe(2);
});
