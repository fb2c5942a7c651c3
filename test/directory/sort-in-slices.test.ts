import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortInSlices } from '../../src/directory/name-index.ts';

interface Item {
  key: number;
  place: number;
}

/** The sorted items, and the number of comparisons in each slice. */
function sorted(items: readonly Item[], itemsInSlice: number): { items: Item[]; slices: number[] } {
  const slices = [0];
  const compare = (a: Item, b: Item) => {
    slices[slices.length - 1]! += 1;
    return a.key - b.key;
  };
  const sorting = sortInSlices(items, compare, itemsInSlice);
  for (;;) {
    const { done, value } = sorting.next();
    if (done) return { items: value, slices };
    slices.push(0);
  }
}

test('sorts like toSorted, and keeps the order of equal items', () => {
  const anyItems = fc
    .array(fc.nat({ max: 9 }), { maxLength: 60 })
    .map((keys) => keys.map((key, place) => ({ key, place })));
  fc.assert(
    fc.property(anyItems, fc.integer({ min: 1, max: 20 }), (items, itemsInSlice) => {
      expect(sorted(items, itemsInSlice).items).toEqual(items.toSorted((a, b) => a.key - b.key));
    }),
  );
});

test('has slices that hardly grow with the number of items', () => {
  const longest = (count: number) =>
    Math.max(
      ...sorted(
        Array.from({ length: count }, (_, place) => ({ key: (place * 7919) % 104_729, place })),
        100,
      ).slices,
    );
  expect(longest(20_000)).toBeLessThanOrEqual(longest(1_000) * 3);
});
