import { setTimeout as delay } from 'node:timers/promises';
import { InvigilatorError } from '../domain/errors.ts';

/** Milliseconds since the epoch. */
export type Now = () => number;

/** Milliseconds since the epoch, by a clock that nobody can set. */
export const monotonicNow: Now = () => Math.floor(performance.timeOrigin + performance.now());

/** Resolves after `ms`, or rejects when the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The longest delay of Node's timers; a longer delay makes them fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

export const sleep: Sleep = (ms, signal) => delay(Math.min(ms, longestTimerMs), undefined, { signal });

/** Calls back once after `ms`. @returns a function that cancels the timer */
export type SetTimer = (callback: () => void, ms: number) => () => void;

/** Calls back once after `ms`, unless the process ends before. @returns a function that cancels the timer */
export const later: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, Math.min(ms, longestTimerMs)).unref();
  return () => clearTimeout(timer);
};

/** Calls back every `ms`, until the process ends. @returns a function that ends it */
export const every: SetTimer = (callback, ms) => {
  const timer = setInterval(callback, ms).unref();
  return () => clearInterval(timer);
};

/** The time, and the ways to wait for it, of a whole bot. */
export interface Clock {
  now: Now;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  setTimer: SetTimer;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleep(ms, signal).catch(() => {}),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The time is over. What was awaited may still come. */
export class TimedOutError extends InvigilatorError {
  readonly code = 'timed_out';
}

/**
 * Waits for a promise, at most `ms` milliseconds.
 *
 * @throws {TimedOutError}
 */
export async function withTimeout<Value>(ms: number, awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimedOutError(`nothing came within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
