import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 20;
const usuallyWithinMs = 10 * 60_000;
/** What is missing after so long without anything that goes on is lost. */
const stillMs = 120_000;

/** Resolves when the condition holds. Rejects after a long time. */
export async function untilTrue(condition: () => boolean, timeoutMs = usuallyWithinMs): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (; !condition(); await pause(pollMs))
    if (performance.now() > end) throw new Error(`not so within ${timeoutMs} ms`);
}

/** Resolves when so many are done, or when nothing goes on any more. */
export async function untilDone(done: () => number, expected: number): Promise<void> {
  for (let last = -1; last < done() && last < expected;) {
    last = done();
    if (last < expected) await untilTrue(() => done() > last, stillMs).catch(() => {});
  }
}
