import { backoffMs } from '../time/backoff.ts';
import { ConnectionError, RateLimitedError, ServiceError } from './errors.ts';

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
 * connection or a 5xx is for an idempotent call only. A timeout is not: more requests do not help a
 * slow service, and a person has waited long enough.
 */
export function isWorthRetrying(error: unknown, isIdempotent: boolean, attempts: Attempts): boolean {
  if (error instanceof RateLimitedError) return attempts.refusals < mostRefusals;
  const canPass = error instanceof ConnectionError || error instanceof ServiceError;
  return canPass && isIdempotent && attempts.failures < mostFailures;
}

/** How long to wait after the failures so far. */
export function failureWaitMs({ failures }: Attempts, random: () => number): number {
  return backoffMs(failures, failureBackoff, random);
}

/** How long to wait after another 429, which does not say when to come back. */
export function refusalWaitMs({ refusals }: Attempts, random: () => number): number {
  return backoffMs(refusals + 1, refusalBackoff, random);
}
