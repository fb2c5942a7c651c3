export interface RateWindow {
  limit: number;
  windowMs: number;
}

/** What may go on within sliding windows. An event counts until exactly `windowMs` after it; a refused one never. */
export interface RateLimit {
  /** Takes one place in every window at once, or none. @returns 0, or the ms until there is a place in all of them */
  take: () => number;
  /** Gives every place back. */
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
      const waitMs = Math.max(0, ...windows.map(({ limit, windowMs }) => untilFree(limit, windowMs, time)));
      if (waitMs === 0) taken.push(time);
      return waitMs;
    },
    clear() {
      taken = [];
      first = 0;
    },
  };

  /** The window is full while the event `limit` places from the end lies within it. */
  function untilFree(limit: number, windowMs: number, time: number): number {
    if (limit <= 0) return windowMs;
    const index = taken.length - limit;
    return index < first ? 0 : Math.max(0, (taken[index] ?? 0) + windowMs - time);
  }
}
