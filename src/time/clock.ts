import { setTimeout as delay } from 'node:timers/promises';

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
