import { setTimeout as pause } from 'node:timers/promises';
import { watchdogMs } from '../../src/sandbox/workspace/clock.ts';

/** Longer than the waits of a test, so that they can say what did not come. */
export const testTimeoutMs = 4 * watchdogMs;
export { watchdogMs };

/** A limit in milliseconds, and a longer one on a machine on which a bot takes longer to start than a second. */
export const limitFor = (ms: number, startMs: number): number => ms * Math.max(1, startMs / 1_000);

const pollMs = 20;

/** Resolves as soon as the assertion holds, with what it returns. Rejects with what it said last. */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + watchdogMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(pollMs);
    }
  }
}

/** While a process starts, each look takes from the processors what it needs itself. */
export const startPollMs = 100;

/** Resolves with the first truthy value of the condition. Rejects with the condition, or with what it throws. */
export async function untilSo<T>(
  condition: () => T | Promise<T>,
  everyMs = pollMs,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + watchdogMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (performance.now() > end) throw new Error(`not so within ${watchdogMs} ms: ${String(condition)}`);
    await pause(everyMs);
  }
}

/** Resolves when so many are done, or when nothing goes on any more: what is missing is judged. */
export async function untilDone(done: () => number, expected: number): Promise<void> {
  for (let last = -1; last < done() && last < expected;) {
    last = done();
    if (last < expected) await untilSo(() => done() > last).catch(() => {});
  }
}
