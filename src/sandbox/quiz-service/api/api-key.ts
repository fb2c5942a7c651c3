import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database.ts';
import { readApiKey, writeApiKey } from '../account.ts';

/** The account's only API key (specification, section 5). */
export type ApiKey = ReturnType<typeof openApiKey>;

/** Every change of the key clears the rate limit, because the limits apply per key (section 8). */
export function openApiKey(database: Database, rateLimit: RateLimit) {
  let key = readApiKey(database);

  function set(newKey: string): void {
    writeApiKey(database, newKey);
    key = newKey;
    rateLimit.clear();
  }

  return {
    /** @returns undefined when the account has no key */
    current: () => key,
    isValid: (candidate: string | undefined): boolean =>
      key !== undefined && candidate !== undefined && isSame(candidate, key),
    set,
    /** Replaces the key with a new one. */
    roll: () => set(randomBytes(24).toString('base64url')),
  };
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

interface RateWindow {
  limit: number;
  windowMs: number;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** A rate limit over sliding windows. A call counts for exactly `windowMs`. A refused call never counts. */
export function createRateLimit(windows: readonly RateWindow[], now: () => number) {
  const longestMs = Math.max(...windows.map((window) => window.windowMs));
  let taken: number[] = [];
  let first = 0;

  return {
    /** Counts a call, unless a window is full. @returns 0, or the ms until every window has room */
    take(): number {
      const time = now();
      while (first < taken.length && time - (taken[first] ?? 0) >= longestMs) first += 1;
      if (first > 1024) {
        taken = taken.slice(first);
        first = 0;
      }
      const waitMs = Math.max(0, ...windows.map(({ limit, windowMs }) => waitFor(limit, windowMs, time)));
      if (waitMs === 0) taken.push(time);
      return waitMs;
    },
    clear(): void {
      taken = [];
      first = 0;
    },
  };

  /** A window is full while the `limit`-th call from the end is inside it. */
  function waitFor(limit: number, windowMs: number, time: number): number {
    if (limit <= 0) return windowMs;
    const index = taken.length - limit;
    return index < first ? 0 : Math.max(0, (taken[index] ?? 0) + windowMs - time);
  }
}
