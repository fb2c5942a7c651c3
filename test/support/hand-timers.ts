import type { SetTimer } from '../../src/time/clock.ts';

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
