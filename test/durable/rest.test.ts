import { expect, test } from 'vitest';
import { restFor, restsUntil } from '../../src/durable/machine.ts';

const begin = 1_800_000_000_000;

test('a pause lasts as long as it was meant to', () => {
  const rest = restFor(5_000, begin);
  expect([0, 4_999, 5_000].map((ms) => restsUntil(rest, begin + ms))).toEqual([
    begin + 5_000,
    begin + 5_000,
    undefined,
  ]);
});

test('a pause is over where the clock was set back to before it began', () => {
  for (const pauseMs of [1_000, 300_000, 3_600_000])
    for (const backMs of [1, 60_000, 3_600_000, 86_400_000])
      expect(restsUntil(restFor(pauseMs, begin), begin - backMs)).toBeUndefined();
});

test('a pause that an earlier version kept lasts until its end', () => {
  expect(restsUntil({ notBefore: begin + 5 }, begin)).toBe(begin + 5);
});
