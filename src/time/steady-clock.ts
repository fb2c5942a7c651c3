import type { Now } from './clock.ts';

/** A greater difference than NTP corrects at once or a busy process measures. */
const jumpMs = 30_000;
/** How much faster than time the steady clock follows a clock that is ahead: 40 days in 16 hours, 40 seconds ahead are 40 minutes. */
const catchUpFactor = 60;

/** A clock for what is forgotten after days, and what it noticed. */
export interface SteadyClock {
  /** Whole milliseconds since the epoch, never later than the wall clock. While the wall clock is suddenly ahead, it follows slowly. */
  now: Now;
  /** Continues from a time at which the bot ran before: the clock may be ahead since then. */
  resumeFrom(time: number): void;
  /** Calls back when the wall clock was set, with the difference in milliseconds. Noticed when `now` is called. */
  onJump(listener: (byMs: number) => void): void;
}

/**
 * Compares the wall clock with a clock that nobody can set. A machine that was suspended looks as if its clock had been set.
 *
 * @param monotonic milliseconds, by a clock that never goes back
 */
export function createSteadyClock({
  now,
  monotonic = () => performance.now(),
}: {
  now: Now;
  monotonic?: () => number;
}): SteadyClock {
  const listeners = new Set<(byMs: number) => void>();
  let steady = now();
  let measuredAt = monotonic();
  let offset = steady - measuredAt;

  return {
    now() {
      const [wall, measured] = [now(), monotonic()];
      const byMs = wall - measured - offset;
      offset = wall - measured;
      steady = Math.min(wall, steady + (measured - measuredAt) * catchUpFactor);
      measuredAt = measured;
      if (Math.abs(byMs) > jumpMs) for (const listener of listeners) listener(byMs);
      return Math.floor(steady);
    },
    resumeFrom(time) {
      steady = Math.min(steady, time);
    },
    onJump: (listener) => void listeners.add(listener),
  };
}

/** A steady clock that is the same as `now`, for a clock that is made to run at will. */
export function steadyClockOf(now: Now): SteadyClock {
  return { now, resumeFrom() {}, onJump() {} };
}
