interface RateWindow {
  limit: number;
  windowMs: number;
}

/** A rate limit over sliding windows. A call counts for exactly `windowMs`. A refused call never counts. */
export interface RateLimit {
  /** Counts a call, unless a window is full. @returns 0, or the ms until every window has room */
  take: () => number;
  /** Forgets all calls. */
  clear: () => void;
}

export function createRateLimit(windows: readonly RateWindow[], now: () => number): RateLimit {
  const longestMs = Math.max(...windows.map((window) => window.windowMs));
  let taken: number[] = [];
  let first = 0;

  return {
    take() {
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
    clear() {
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
