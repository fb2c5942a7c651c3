import { backoffMs } from '../time/backoff.ts';
import { ConnectionError, passesSoon, RateLimitedError } from './errors.ts';

/** What has gone wrong with a call so far. */
export interface Attempts {
  /** Answers of 429. */
  refusals: number;
  /** Everything else. */
  failures: number;
}

const mostFailures = 3;
const mostRefusals = 10;
const failureBackoff = { firstMs: 200, longestMs: 10_000, jitter: 0.5 };
const refusalBackoff = { firstMs: 4000, longestMs: 60_000, jitter: 0.5 };

/**
 * Whether a call is worth another attempt. A 429 always is, since the service did nothing. A lost
 * connection or a 5xx is for an idempotent call only.
 *
 * @param call.isLookedUp whether the caller finds out what came of it before it is sent again
 */
export function isWorthRetrying(
  error: unknown,
  { isIdempotent, isLookedUp }: { isIdempotent: boolean; isLookedUp: boolean },
  attempts: Attempts,
): boolean {
  if (error instanceof RateLimitedError) return attempts.refusals < mostRefusals;
  if (isLookedUp && !(error instanceof ConnectionError && error.isUnsent)) return false;
  return passesSoon(error) && isIdempotent && attempts.failures < mostFailures;
}

/** How long to wait after the failures so far. */
export function failureWaitMs({ failures }: Attempts, random: () => number): number {
  return backoffMs(failures, failureBackoff, random);
}

/** How long to wait after another 429, which does not say when to come back. */
export function refusalWaitMs({ refusals }: Attempts, random: () => number): number {
  return backoffMs(refusals + 1, refusalBackoff, random);
}
