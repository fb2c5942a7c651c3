import { systemClock, type Clock } from '../../src/time/clock.ts';

/** A clock that starts now and runs `times` times as fast as the system clock. */
export function fastClock(times: number): Clock {
  const beganAt = Date.now();
  const begun = performance.now();
  return {
    now: () => Math.floor(beganAt + (performance.now() - begun) * times),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
    setTimer: (callback, ms) => systemClock.setTimer(callback, ms / times),
  };
}
