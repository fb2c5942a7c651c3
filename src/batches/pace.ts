/** Spreads requests over time. Times are milliseconds since the epoch. */
export interface RequestPace {
  /** When the next request may be sent; undefined: now. */
  turn(): number | undefined;
  /** Counts requests that are about to be sent. */
  spend(requests: number): void;
}

/**
 * Lets some requests through at once and the others evenly. Without it, a batch would use up the minute’s requests in some
 * seconds, and people who need more than their reserve would wait for the end of the minute.
 */
export function createRequestPace({ atOnce, perMinute, now }: { atOnce: number; perMinute: number; now: () => number }): RequestPace {
  const eachMs = 60_000 / perMinute;
  let left = atOnce;
  let countedAt = now();

  function refill(): void {
    const time = now();
    left = Math.min(atOnce, left + Math.max(0, time - countedAt) / eachMs);
    countedAt = time;
  }

  return {
    turn() {
      refill();
      // A rounding error must not cost another wait.
      return left > 1 - 1e-6 ? undefined : Math.ceil(countedAt + (1 - left) * eachMs);
    },
    spend(requests) {
      refill();
      left -= requests;
    },
  };
}
