/** How waits between attempts grow. */
interface Backoff {
  /** The wait after the first failure. */
  firstMs: number;
  longestMs: number;
  /** How many times longer each wait is than the wait before it; 2 unless given. */
  factor?: number | undefined;
  /** The share of a wait, from 0 to 1, that is left to chance so that many callers do not come back at once; 0 unless given. */
  jitter?: number | undefined;
}

/**
 * How long to wait before the next attempt.
 *
 * @param failures the failures in a row, the last one included
 * @param random from 0 to 1; matters only with `jitter`
 */
export function backoffMs(failures: number, backoff: Backoff, random: () => number = Math.random): number {
  const { firstMs, longestMs, factor = 2, jitter = 0 } = backoff;
  const waitMs = Math.min(longestMs, firstMs * factor ** Math.max(0, failures - 1));
  return jitter === 0 ? waitMs : waitMs * (1 - jitter + jitter * random());
}
