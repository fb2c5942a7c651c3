import { longestTimerMs, systemClock, type SetTimer } from '../time/clock.ts';
import type { Queues } from './storage.ts';
import { backoffMs } from '../time/timers.ts';

interface Queue {
  isRunning: boolean;
  /** In milliseconds since the epoch; undefined where it is not to run. */
  runsAt: number | undefined;
  /** After a failure it does not run before this, also when it is woken. */
  restsUntil: number;
  failures: number;
  callOff: () => void;
}

/**
 * Runs queues of this process alone, in memory: after a start, the caller wakes the queues that have something to do.
 *
 * @param options.onFailure called with every run that failed
 */
export function createMemoryQueues(options: {
  now: () => number;
  onFailure: (queue: string, error: unknown) => void;
  setTimer?: SetTimer | undefined;
}): Queues {
  const { now, onFailure, setTimer = systemClock.setTimer } = options;
  const queues = new Map<string, Queue>();
  const runs = new Set<Promise<void>>();
  let run: ((queue: string) => Promise<number | undefined>) | undefined;

  function plan(name: string, queue: Queue): void {
    queue.callOff();
    if (run === undefined || queue.isRunning || queue.runsAt === undefined) return;
    // After the clock was set back, a rest must not be longer than the longest one.
    const restsUntil = Math.min(queue.restsUntil, now() + pauseMsAfter(queue.failures));
    const afterMs = Math.max(queue.runsAt, restsUntil) - now();
    if (afterMs <= 0) queue.callOff = immediately(() => begin(name, queue));
    else if (afterMs > longestTimerMs) queue.callOff = setTimer(() => plan(name, queue), longestTimerMs);
    else queue.callOff = setTimer(() => begin(name, queue), afterMs);
  }

  function begin(name: string, queue: Queue): void {
    const ending = runOnce(name, queue).finally(() => runs.delete(ending));
    runs.add(ending);
  }

  async function runOnce(name: string, queue: Queue): Promise<void> {
    queue.isRunning = true;
    queue.runsAt = undefined;
    try {
      const again = await run!(name);
      queue.failures = 0;
      if (again !== undefined) queue.runsAt = Math.min(again, queue.runsAt ?? Infinity);
    } catch (error) {
      onFailure(name, error);
      queue.failures += 1;
      queue.restsUntil = now() + pauseMsAfter(queue.failures);
      queue.runsAt = queue.restsUntil;
    }
    queue.isRunning = false;
    if (queue.runsAt === undefined) queues.delete(name);
    else plan(name, queue);
  }

  return {
    async wake(name, at = now()) {
      const queue = queues.get(name) ?? {
        isRunning: false,
        runsAt: undefined,
        restsUntil: 0,
        failures: 0,
        callOff: () => {},
      };
      queues.set(name, queue);
      if (queue.runsAt !== undefined && queue.runsAt <= at) return;
      queue.runsAt = at;
      plan(name, queue);
    },
    async start(runQueue) {
      run = runQueue;
      for (const [name, queue] of queues) plan(name, queue);
    },
    async stop() {
      run = undefined;
      for (const queue of queues.values()) queue.callOff();
      await Promise.all(runs);
    },
  };
}

/** After the current turn of the event loop, so that several wakes in one turn make the queue run once. */
function immediately(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}

const backoff = { firstMs: 1_000, longestMs: 30_000 };

/** How long a queue waits after so many failures in a row before it runs again, in milliseconds. */
export function pauseMsAfter(failures: number): number {
  return backoffMs(failures, backoff);
}
