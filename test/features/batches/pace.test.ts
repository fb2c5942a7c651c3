import { expect, test } from 'vitest';
import { createRequestPace } from '../../../src/features/batches/batch-machine.ts';

function openPace() {
  const clock = { now: 1_000_000 };
  const pace = createRequestPace({ atOnce: 2, perMinute: 60, now: () => clock.now });
  return { clock, pace };
}

test('the first requests after a rest are sent at once, and the others are spread evenly', () => {
  const { clock, pace } = openPace();
  const turns = [1, 2, 3].map(() => {
    const turn = pace.turn();
    if (turn === undefined) pace.spend(1);
    return turn;
  });
  expect(turns).toEqual([undefined, undefined, 1_001_000]);
  clock.now = 1_001_000;
  expect(pace.turn()).toBeUndefined();
});

test('nothing waits longer because the clock was set back', () => {
  const { clock, pace } = openPace();
  pace.turn();
  pace.spend(30);
  expect(pace.turn()).toBe(1_029_000);
  clock.now -= 3_600_000;
  expect(pace.turn()).toBeUndefined();
});
