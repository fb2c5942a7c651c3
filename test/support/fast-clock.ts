import { systemClock, type Clock } from '../../src/time/clock.ts';

/** A clock that starts now and runs `times` times as fast as the system clock. Waits never end early. */
export function fastClock(times: number): Clock {
  const beganAt = Date.now();
  const begun = performance.now();
  // Node cuts a delay to whole milliseconds, and its timers fire up to one early.
  const realMs = (ms: number) => Math.ceil(ms / times) + 1;
  return {
    now: () => Math.floor(beganAt + (performance.now() - begun) * times),
    sleep: (ms, signal) => systemClock.sleep(realMs(ms), signal),
    setTimer: (callback, ms) => systemClock.setTimer(callback, realMs(ms)),
  };
}

/**
 * The options of a test bed whose bot, workspace and quiz service share a clock that runs `times` times as fast. More than three
 * times leaves a busy machine too little of the three seconds in which the platform wants an answer.
 */
export function fastTime(times: number) {
  const clock = fastClock(times);
  return { clock, workspace: { now: clock.now }, quizService: { now: clock.now } };
}

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
