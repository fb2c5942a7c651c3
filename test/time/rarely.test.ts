import { expect, test } from 'vitest';
import { createRarely } from '../../src/time/timers.ts';

test('rare work is due at first, and again once its time has passed', () => {
  let now = 1_000_000;
  const isDue = createRarely({ everyMs: 60_000, now: () => now });
  expect([isDue(), isDue()]).toEqual([true, false]);
  now += 59_999;
  expect(isDue()).toBe(false);
  now += 1;
  expect([isDue(), isDue()]).toEqual([true, false]);
});

test('rare work is due where the clock was set back', () => {
  let now = 1_000_000;
  const isDue = createRarely({ everyMs: 60_000, now: () => now });
  isDue();
  now -= 60_000;
  expect(isDue()).toBe(true);
});
