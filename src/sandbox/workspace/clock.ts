/** The workspace's only source of time. Tests replace it. */
export interface Clock {
  now(): number;
  /** Runs the callback once, after `delayMs`. @returns a function that cancels it */
  after(delayMs: number, callback: () => void): () => void;
  /** Skips ahead, which the page then offers. Default: the clock can’t. */
  skip?(ms: number): Promise<void>;
  /** The skip in progress, in milliseconds since 1970. */
  readonly skipping?: { fromMs: number; toMs: number } | undefined;
  /** Runs the work between two steps of a skip, so that the bot’s clock and this one agree during it. */
  hold?<T>(work: () => Promise<T>): Promise<T>;
  /** Calls back at each step of a skip and at its end. */
  onChange?(listener: () => void): void;
}

/** The timers of this clock do not keep the process alive. */
export function systemClock(now: () => number = Date.now): Clock {
  return {
    now,
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      timer.unref();
      return () => {
        clearTimeout(timer);
      };
    },
  };
}

const turnMs = 250;

/**
 * Runs the callback once, after `ms` in which this process and the bot had their turns: where a machine is busy with other
 * programs, a quarter of a second counts as one, however long it takes. @returns a function that cancels it
 */
export function afterTurns(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = (): void => {};
  const wait = (leftMs: number): void => {
    cancel = clock.after(Math.min(turnMs, leftMs), () => (leftMs > turnMs ? wait(leftMs - turnMs) : callback()));
  };
  wait(ms);
  return () => cancel();
}

export interface ManualClock extends Clock {
  /** Moves time forward and runs due callbacks in order. */
  advance(byMs: number): void;
}

/** A clock for tests that stands still until `advance`. @param startMs milliseconds since 1970 */
export function manualClock(startMs: number): ManualClock {
  let time = startMs;
  let due: { at: number; callback: () => void }[] = [];
  return {
    now: () => time,
    after(delayMs, callback) {
      const entry = { at: time + delayMs, callback };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    advance(byMs) {
      const end = time + byMs;
      for (;;) {
        const next = due.filter((entry) => entry.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        due = due.filter((entry) => entry !== next);
        time = next.at;
        next.callback();
      }
      time = end;
    },
  };
}

/**
 * How long anything waits for what happens, in milliseconds: a machine that is busy with other programs is slow. Only what will
 * never come takes so long.
 */
export const watchdogMs = 5 * 60_000;
