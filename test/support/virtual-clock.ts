import type { Now, Sleep, SetTimer } from '../../src/time/clock.ts';

/** A clock that only moves when the test advances it. */
export interface VirtualClock {
  now: Now;
  sleep: Sleep;
  /** Advances the time, wakes each sleeper when its time comes, and lets it run until it waits again. */
  advance(ms: number): Promise<void>;
  /** Advances the time from sleeper to sleeper until the promise settles. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
}

interface Sleeper {
  at: number;
  wake(): void;
}

export function createVirtualClock(startMs = Date.UTC(2025, 0, 1)): VirtualClock {
  let time = startMs;
  const sleepers = new Set<Sleeper>();

  const earliest = (): Sleeper | undefined =>
    [...sleepers].reduce<Sleeper | undefined>(
      (first, next) => (first && first.at <= next.at ? first : next),
      undefined,
    );

  return {
    now: () => time,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      return new Promise<void>((resolve, reject) => {
        const leave = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: time + ms,
          wake: () => {
            leave();
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', giveUp);
      });
    },
    advance: async (ms) => {
      const end = time + ms;
      await settle();
      for (let next = earliest(); next !== undefined && next.at <= end; next = earliest()) {
        time = Math.max(time, next.at);
        next.wake();
        await settle();
      }
      time = end;
    },
    runUntil: async (promise) => {
      const run = { isOver: false };
      const finish = () => {
        run.isOver = true;
      };
      promise.then(finish, finish);
      await settle();
      while (!run.isOver) {
        const next = earliest();
        if (next === undefined) throw new Error('The promise is pending, but nothing sleeps');
        time = Math.max(time, next.at);
        next.wake();
        await settle();
      }
      return promise;
    },
  };
}

/** Runs everything that does not wait for the clock. */
export async function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Timers that end only when the test ends them. */
export function createHandTimers() {
  let timers: { callback: () => void; afterMs: number }[] = [];
  const setTimer: SetTimer = (callback, afterMs) => {
    const timer = { callback, afterMs };
    timers.push(timer);
    return () => void (timers = timers.filter((other) => other !== timer));
  };
  return {
    setTimer,
    /** The duration of each timer in milliseconds. */
    pending: () => timers.map(({ afterMs }) => afterMs),
    /** Ends the timers with this duration, oldest first. */
    fire(afterMs: number): void {
      const ended = timers.filter((timer) => timer.afterMs === afterMs);
      timers = timers.filter((timer) => timer.afterMs !== afterMs);
      for (const { callback } of ended) callback();
    },
  };
}
