import { backgroundPerMinute } from '../../quiz-api/budget/rate-windows.ts';

/** Spreads requests over time. Times are milliseconds since the epoch. */
export interface RequestPace {
  /** When the next request may be sent; undefined: now. */
  turn(): number | undefined;
  /** Counts requests that are about to be sent. */
  spend(requests: number): void;
}

/** The pace of all batches of an instance. Short batches need no spreading. */
export const servicePace = { atOnce: 10, perMinute: backgroundPerMinute };

/** After so long without a request, some requests may be sent at once again. */
const restMs = 60_000;

/**
 * Spreads requests evenly. The first ones after a rest are sent at once, so that a short batch is through at once. Without the
 * spreading, a batch would use up the minute’s requests in some seconds, and a person who needs more than the reserve would
 * wait for the end of the minute.
 */
export function createRequestPace({
  atOnce,
  perMinute,
  now,
}: {
  atOnce: number;
  perMinute: number;
  now: () => number;
}): RequestPace {
  const eachMs = 60_000 / perMinute;
  let nextAt = -Infinity;
  let extra = 0;
  let seenAt = -Infinity;

  function rest(): void {
    const isSetBack = now() < seenAt;
    seenAt = now();
    if (!isSetBack && now() - nextAt < restMs) return;
    extra = atOnce - 1;
    nextAt = now();
  }

  return {
    turn() {
      rest();
      return extra > 0 || nextAt <= now() ? undefined : Math.ceil(nextAt);
    },
    spend(requests) {
      rest();
      const atOnceNow = Math.min(extra, requests);
      extra -= atOnceNow;
      // A request that is late by less than the distance does not delay those after it.
      nextAt = Math.max(nextAt, now() - eachMs) + (requests - atOnceNow) * eachMs;
    },
  };
}
