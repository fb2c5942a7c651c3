import { setTimeout as delay } from 'node:timers/promises';

/** The time and the ways to wait for it, handed to every part that needs them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`. @returns a function that cancels the timer */
  setTimer(callback: () => void, ms: number): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The time is over; what was awaited may still come. */
export class TimedOutError extends Error {
  override name = 'TimedOutError';
}

/**
 * Waits for a promise, at most `ms` milliseconds.
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
