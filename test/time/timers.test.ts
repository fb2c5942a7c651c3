import { expect, test, vi, describe } from 'vitest';
import * as fc from 'fast-check';
import { createRepeating, createRarely, createGathering, backoffMs } from '../../src/time/timers.ts';

/** Sleeps until it is woken, or told to stop. */
function wakeable() {
  const sleeps: number[] = [];
  let wake = () => {};
  const sleep = async (ms: number, signal: AbortSignal) => {
    sleeps.push(ms);
    await new Promise<void>((resolve) => {
      wake = resolve;
      signal.addEventListener('abort', () => resolve());
    });
  };
  return { sleep, sleeps, wake: () => wake() };
}

test('work runs at once and then regularly, also after a run that failed, until it is stopped', async () => {
  const { sleep, sleeps, wake } = wakeable();
  const failure = new Error('the store is away');
  const work = vi.fn<() => Promise<void>>(async () => {});
  work.mockRejectedValueOnce(failure);
  const onError = vi.fn<(error: unknown) => void>();
  const repeating = createRepeating({ work, everyMs: 60_000, sleep, onError });
  repeating.start();
  await expect.poll(() => sleeps).toEqual([60_000]);
  expect([work.mock.calls.length, onError.mock.calls]).toEqual([1, [[failure]]]);
  wake();
  await expect.poll(() => sleeps).toHaveLength(2);
  expect(work).toHaveBeenCalledTimes(2);
  await repeating.stop();
  expect([work.mock.calls.length, onError.mock.calls.length]).toEqual([2, 1]);
});

test('stopping waits for the run that is in progress', async () => {
  let finish = () => {};
  const work = () => new Promise<void>((resolve) => (finish = resolve));
  const { sleep } = wakeable();
  const repeating = createRepeating({
    work,
    everyMs: 1,
    sleep: async (_, signal) => (signal.aborted ? undefined : sleep(1, signal)),
    onError: () => {},
  });
  repeating.start();
  let isStopped = false;
  const stopped = repeating.stop().then(() => (isStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  finish();
  await stopped;
});

test('rare work is due at first, again once its time has passed, and where the clock was set back', () => {
  let now = 1_000_000;
  const isDue = createRarely({ everyMs: 60_000, now: () => now });
  expect([isDue(), isDue()]).toEqual([true, false]);
  now += 59_999;
  expect(isDue()).toBe(false);
  now += 1;
  expect([isDue(), isDue()]).toEqual([true, false]);
  now -= 60_000;
  expect(isDue()).toBe(true);
});

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

const backoff = { firstMs: 200, longestMs: 3000 };

describe('the wait before the next attempt', () => {
  test.each<[string, object, number[], number[]]>([
    ['doubles with every failure, up to the longest', {}, [1, 2, 3, 4, 5, 6], [200, 400, 800, 1600, 3000, 3000]],
    ['grows by another factor where there is one', { factor: 3 }, [1, 2, 3], [200, 600, 1800]],
    ['is the first wait before anything has failed', {}, [0], [200]],
  ])('%s', (_, more, failures, waits) => {
    expect(failures.map((count) => backoffMs(count, { ...backoff, ...more }))).toEqual(waits);
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
