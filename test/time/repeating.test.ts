import { expect, test, vi } from 'vitest';
import { createRepeating } from '../../src/time/timers.ts';

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
