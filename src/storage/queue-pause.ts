import { backoffMs } from '../time/backoff.ts';

const backoff = { firstMs: 1_000, longestMs: 30_000 };

/** How long a queue waits after so many failures in a row before it runs again, in milliseconds. */
export function pauseMsAfter(failures: number): number {
  return backoffMs(failures, backoff);
}
