import { describe, expect, test } from 'vitest';
import { createSteadyClock } from '../../src/time/clock.ts';

const dayMs = 24 * 3_600_000;

function clock() {
  let [wall, measured] = [1_000 * dayMs, 0];
  const jumps: number[] = [];
  const steady = createSteadyClock({ now: () => Math.trunc(wall), monotonic: () => measured });
  steady.onJump((byMs) => jumps.push(byMs));
  return {
    steady,
    jumps,
    behindMs: () => wall - steady.now(),
    pass(ms: number) {
      wall += ms;
      measured += ms;
    },
    set: (byMs: number) => (wall += byMs),
  };
}

describe('the steady clock', () => {
  test('is the wall clock while nobody sets that', () => {
    const { behindMs, pass, jumps } = clock();
    for (let n = 0; n < 10; n += 1) {
      pass(60_000);
      expect(behindMs()).toBe(0);
    }
    expect(jumps).toEqual([]);
  });

  test('hardly moves while the wall clock is 40 days ahead for 40 seconds', () => {
    const { steady, jumps, pass, set, behindMs } = clock();
    const before = steady.now();
    set(40 * dayMs);
    pass(20_000);
    expect(steady.now() - before).toBeLessThan(3_600_000);
    pass(20_000);
    steady.now();
    set(-40 * dayMs);
    expect(behindMs()).toBe(0);
    expect(jumps).toEqual([40 * dayMs, -40 * dayMs]);
  });

  test('follows a clock that stays ahead, within a day', () => {
    const { behindMs, pass, set } = clock();
    set(40 * dayMs);
    pass(16 * 3_600_000);
    expect(behindMs()).toBeGreaterThan(0);
    pass(8 * 3_600_000);
    expect(behindMs()).toBe(0);
  });

  test('goes on from an earlier run of the bot', () => {
    const { steady, behindMs } = clock();
    steady.resumeFrom(960 * dayMs);
    expect(behindMs()).toBe(40 * dayMs);
  });

  test.each([
    ['an hour', 3_600_000],
    ['two days', 2 * dayMs],
    ['31 days', 31 * dayMs],
    ['a year', 365 * dayMs],
  ])('has whole milliseconds while it follows after a stop of %s', (_, stoppedMs) => {
    const { steady, pass } = clock();
    steady.resumeFrom(1_000 * dayMs - stoppedMs);
    let last = steady.now();
    for (let n = 0; n < 100; n += 1) {
      pass(3_000.37);
      const now = steady.now();
      expect(now).toBe(Math.trunc(now));
      expect(now).toBeGreaterThan(last);
      last = now;
    }
  });
});
