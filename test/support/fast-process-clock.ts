import { fastClock } from './fast-clock.ts';

/** The time of a whole process test bed, `times` times as fast as the system's. It goes on through restarts of the bots. */
export function fastProcessClock(times: number) {
  const clock = fastClock(times);
  const beganAt = Date.now();
  return {
    now: clock.now,
    after: (delayMs: number, callback: () => void) => clock.setTimer(callback, delayMs),
    /** The flags that make a new Node process run as fast. */
    nodeFlags: () => [`--import=${new URL(`run-fast.ts?times=${times}&beganAt=${beganAt}`, import.meta.url).href}`],
    lead() {},
  };
}
