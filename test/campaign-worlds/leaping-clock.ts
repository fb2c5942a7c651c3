import type { Clock } from '../../src/time/clock.ts';
import type { Clock as WorkspaceClock } from '../../src/sandbox/workspace/clock.ts';
import { settle, sleepBy, workCount } from '../support/settle.ts';

/** A clock that stands still while anything is under way in this process, and then leaps to the next thing that is due. */
export interface LeapingClock {
  now(): number;
  /** For the workspace and the quiz service. */
  sandbox: WorkspaceClock;
  /** For one life of a bot: when it ends, its timers never fire. */
  forBot(): { clock: Clock; end(): void };
  /** Lets the time pass until a moment. */
  until(moment: number): Promise<void>;
  /** Lets the time pass until the promise settles, at most a few minutes. */
  during<Value>(promise: Promise<Value>): Promise<Value>;
}

interface Timer {
  at: number;
  delayMs: number;
  fire: () => void;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/**
 * What is planned further ahead is waited for to the millisecond. Shorter pauses are mostly those of watches that look around
 * all the time: they fire at their time while there is work, and after that at the next stop.
 */
const pauses = [
  { shorterThanMs: 6 * secondMs, firesForMs: 10 * secondMs },
  { shorterThanMs: 61 * secondMs, firesForMs: 3 * minuteMs },
];
/** The comparison with the account, which comes again and again. */
const roundMs = 15 * minuteMs;
/** So long before the next thing that is due, the watches look around: what they read is fresh then, as it would be without leaps. */
const looksBeforeMs = 5 * minuteMs;
const atMostMs = 15 * minuteMs;

export function createLeapingClock(startMs: number): LeapingClock {
  const timers = new Set<Timer>();
  let time = startMs;
  let [knownWork, workedAt] = [0, startMs];

  function setTimer(fire: () => void, delayMs: number, own?: Set<Timer>): () => void {
    const timer: Timer = { at: time + Math.max(1, Math.ceil(delayMs)), delayMs, fire: () => {} };
    const cancel = () => {
      timers.delete(timer);
      own?.delete(timer);
    };
    timer.fire = () => {
      cancel();
      fire();
    };
    timers.add(timer);
    own?.add(timer);
    return cancel;
  }

  /** Where the time stops next. */
  function nextStop(until: number): number {
    let stop = until;
    for (const { at, delayMs } of timers) {
      const pause = pauses.find(({ shorterThanMs }) => delayMs < shorterThanMs);
      const firesForMs = pause?.firesForMs ?? (delayMs === roundMs ? 0 : Infinity);
      if (at < stop && at - workedAt <= firesForMs) stop = Math.max(at, time);
    }
    return stop - time > roundMs ? stop - looksBeforeMs : stop;
  }

  async function leap(until: number): Promise<void> {
    const stop = nextStop(until);
    time = stop;
    const due = [...timers].filter(({ at }) => at <= stop).toSorted((a, b) => a.at - b.at);
    for (const timer of due) if (timers.has(timer)) timer.fire();
    await settled();
  }

  async function settled(): Promise<void> {
    await settle();
    if (workCount() === knownWork) return;
    knownWork = workCount();
    workedAt = time;
  }

  return {
    now: () => time,
    sandbox: { now: () => time, after: (delayMs, callback) => setTimer(callback, delayMs) },
    forBot() {
      const own = new Set<Timer>();
      const ownTimer: Clock['setTimer'] = (callback, ms) => setTimer(callback, ms, own);
      return {
        clock: {
          now: () => time,
          setTimer: ownTimer,
          sleep: sleepBy(ownTimer),
        },
        end() {
          for (const timer of own) timers.delete(timer);
          own.clear();
        },
      };
    },
    async until(moment) {
      await settled();
      while (time < moment) await leap(moment);
    },
    async during(promise) {
      const run = { isOver: false };
      const end = () => (run.isOver = true);
      promise.then(end, end);
      const limit = time + atMostMs;
      await settled();
      while (!run.isOver) {
        if (time >= limit) throw new Error(`nothing came of it within ${atMostMs / minuteMs} minutes`);
        await leap(limit);
      }
      return promise;
    },
  };
}
