import type { RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';

/** The most arrivals that fall into any one window, which is open at its beginning. */
export function mostInAnyWindow(arrivals: readonly number[], windowMs: number): number {
  let most = 0;
  let first = 0;
  const inOrder = arrivals.toSorted((a, b) => a - b);
  for (const [index, arrival] of inOrder.entries()) {
    while ((inOrder[first] ?? arrival) <= arrival - windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** A service that counts what arrives and refuses what is too much; a refused request does not count. */
export function createCountingService(windows: readonly RateWindow[], now: () => number) {
  const arrivals: number[] = [];
  let refused = 0;
  return {
    arrivals,
    refused: () => refused,
    /** Milliseconds until the next request is taken; null when this one is. */
    request(): number | null {
      const retryAfterMs = Math.max(...windows.map((window) => {
        const inTheWay = arrivals.at(-window.limit);
        return inTheWay === undefined ? 0 : Math.max(0, inTheWay + window.windowMs - now());
      }));
      if (retryAfterMs === 0) {
        arrivals.push(now());
        return null;
      }
      refused += 1;
      return retryAfterMs;
    },
  };
}
