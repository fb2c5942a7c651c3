/** Work that runs until it is stopped. */
export interface Repeating {
  start(): void;
  /** Ends the pause before the next run. */
  runSoon(): void;
  /** Resolves when the run in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at the start, and again `everyMs` milliseconds after each run.
 *
 * @param options.sleep resolves early when the signal aborts
 * @param options.onError takes the error of a failed run; the next run follows all the same
 */
export function createRepeating({
  work,
  everyMs,
  sleep,
  onError,
}: {
  work: () => Promise<void>;
  everyMs: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
}): Repeating {
  const stopping = new AbortController();
  let pausing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch(onError);
      pausing = new AbortController();
      await sleep(everyMs, AbortSignal.any([stopping.signal, pausing.signal]));
    }
  }

  return {
    start() {
      running = run();
    },
    runSoon() {
      pausing.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
