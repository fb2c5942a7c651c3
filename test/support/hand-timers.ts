import type { SetTimer } from '../../src/time/clock.ts';

/** Timers that end only when a test says so. */
export function createHandTimers() {
  let timers: { callback: () => void; afterMs: number }[] = [];
  const setTimer: SetTimer = (callback, afterMs) => {
    const timer = { callback, afterMs };
    timers.push(timer);
    return () => void (timers = timers.filter((other) => other !== timer));
  };
  return {
    setTimer,
    /** How long each timer was set to, in milliseconds. */
    pending: () => timers.map(({ afterMs }) => afterMs),
    /** Ends the timers that were set to a time, the oldest first. */
    fire(afterMs: number): void {
      const ended = timers.filter((timer) => timer.afterMs === afterMs);
      timers = timers.filter((timer) => timer.afterMs !== afterMs);
      for (const { callback } of ended) callback();
    },
  };
}
