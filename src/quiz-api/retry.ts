import { ConnectionError, RateLimitedError, ServiceError } from './errors.ts';

const mostAttempts = 3;
const mostRefusals = 10;
const firstBackoffMs = 200;
const firstRefusalMs = 4000;
const longestRefusalMs = 60_000;

/** What a call has been through so far. */
export interface Attempts {
  /** Answers of 429. */
  refusals: number;
  /** Everything else that went wrong. */
  failures: number;
}

/**
 * Whether a call is worth another attempt. A 429 is, whatever the method, since nothing was done; a
 * lost connection or a 5xx only where doing it twice is the same as doing it once. A timeout is not:
 * a slow service is not helped by more requests, and a person has waited long enough.
 */
export function isWorthRetrying(error: unknown, isIdempotent: boolean, attempts: Attempts): boolean {
  if (error instanceof RateLimitedError) return attempts.refusals < mostRefusals;
  const canPass = error instanceof ConnectionError || error instanceof ServiceError;
  return canPass && isIdempotent && attempts.failures < mostAttempts;
}

/** How long to wait before the attempt after so many failures: twice as long each time, less a random part. */
export function backoffMs(failures: number, random: () => number): number {
  return firstBackoffMs * 2 ** (failures - 1) * (0.5 + random() / 2);
}

/** How long to wait after so many answers of 429, where the service does not say. */
export function refusalBackoffMs(refusals: number, random: () => number): number {
  return Math.min(longestRefusalMs, firstRefusalMs * 2 ** (refusals - 1)) * (0.5 + random() / 2);
}
