import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs } from '../../src/time/timers.ts';

const backoff = { firstMs: 200, longestMs: 3000 };

describe('the wait before the next attempt', () => {
  test('doubles with every failure, up to the longest', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, backoff))).toEqual([
      200, 400, 800, 1600, 3000, 3000,
    ]);
  });

  test('grows by another factor where there is one', () => {
    expect([1, 2, 3].map((failures) => backoffMs(failures, { ...backoff, factor: 3 }))).toEqual([200, 600, 1800]);
  });

  test('is the first wait before anything has failed', () => {
    expect(backoffMs(0, backoff)).toBe(200);
  });

  test('is shorter by up to the jitter', () => {
    const waits = [0, 0.5, 1].map((chance) => backoffMs(2, { ...backoff, jitter: 0.25 }, () => chance));

    expect(waits).toEqual([300, 350, 400]);
  });

  test('never exceeds the longest wait, never shrinks and is never without end, however many failures there are', () => {
    const anyBackoff = fc.record({
      firstMs: fc.integer({ min: 1, max: 10_000 }),
      longestMs: fc.integer({ min: 10_000, max: 3_600_000 }),
      factor: fc.double({ min: 1, max: 10, noNaN: true }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyBackoff, fc.nat({ max: 100_000 }), chance, (growth, failures, random) => {
        const { firstMs, longestMs, jitter } = growth;
        const waitMs = backoffMs(failures, growth, () => random);

        expect(waitMs).toBeLessThanOrEqual(longestMs);
        expect(waitMs).toBeGreaterThanOrEqual(firstMs * (1 - jitter) * (1 - Number.EPSILON));
        expect(backoffMs(failures + 1, growth, () => random)).toBeGreaterThanOrEqual(waitMs);
      }),
    );
  });
});
