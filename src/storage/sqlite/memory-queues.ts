import { pauseMsAfter } from '../queue-pause.ts';
import type { Lanes } from '../storage.ts';

/** Above this a timer of Node fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Has something called after a time. @returns what calls it off */
export type SetTimer = (callback: () => void, afterMs: number) => () => void;

interface Lane {
  isRunning: boolean;
  /** In milliseconds since the epoch; undefined where it is not to run. */
  runsAt: number | undefined;
  /** After a failure it rests, whoever wakes it. */
  restsUntil: number;
  failures: number;
  callOff: () => void;
}

/**
 * Runs the lanes of the only process there is. Nothing of it is kept: whoever starts wakes the lanes that have something to do.
 *
 * @param options.onFailure hears of every run that failed
 */
export function createMemoryLanes(options: {
  now: () => number;
  onFailure: (lane: string, error: unknown) => void;
  setTimer?: SetTimer;
}): Lanes {
  const { now, onFailure, setTimer = nodeTimer } = options;
  const lanes = new Map<string, Lane>();
  const runs = new Set<Promise<void>>();
  let run: ((lane: string) => Promise<number | undefined>) | undefined;

  function plan(name: string, lane: Lane): void {
    lane.callOff();
    if (run === undefined || lane.isRunning || lane.runsAt === undefined) return;
    const afterMs = Math.max(lane.runsAt, lane.restsUntil) - now();
    if (afterMs <= 0) lane.callOff = immediately(() => begin(name, lane));
    else if (afterMs > longestTimerMs) lane.callOff = setTimer(() => plan(name, lane), longestTimerMs);
    else lane.callOff = setTimer(() => begin(name, lane), afterMs);
  }

  function begin(name: string, lane: Lane): void {
    const ending = runOnce(name, lane).finally(() => runs.delete(ending));
    runs.add(ending);
  }

  async function runOnce(name: string, lane: Lane): Promise<void> {
    lane.isRunning = true;
    lane.runsAt = undefined;
    try {
      const again = await run!(name);
      lane.failures = 0;
      if (again !== undefined) lane.runsAt = Math.min(again, lane.runsAt ?? Infinity);
    } catch (error) {
      onFailure(name, error);
      lane.failures += 1;
      lane.restsUntil = now() + pauseMsAfter(lane.failures);
      lane.runsAt = lane.restsUntil;
    }
    lane.isRunning = false;
    if (lane.runsAt === undefined) lanes.delete(name);
    else plan(name, lane);
  }

  return {
    async wake(name, at = now()) {
      const lane = lanes.get(name) ?? { isRunning: false, runsAt: undefined, restsUntil: 0, failures: 0, callOff: () => {} };
      lanes.set(name, lane);
      if (lane.runsAt !== undefined && lane.runsAt <= at) return;
      lane.runsAt = at;
      plan(name, lane);
    },
    async start(runLane) {
      run = runLane;
      for (const [name, lane] of lanes) plan(name, lane);
    },
    async stop() {
      run = undefined;
      for (const lane of lanes.values()) lane.callOff();
      await Promise.all(runs);
    },
  };
}

/** Not at once: whoever woke the lane goes on first, and several who wake it in one turn make it run once. */
function immediately(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}

function nodeTimer(callback: () => void, afterMs: number): () => void {
  const timer = setTimeout(callback, afterMs);
  return () => clearTimeout(timer);
}
