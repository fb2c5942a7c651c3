/** So many calls at a time are few. */
const few = 4;

/**
 * Does something for any number of calls: at once for the first, and once more for all that come while it is under
 * way. Where those are many, it takes a pause of `pauseMs` after it, in which more of them can come.
 */
export function createCoalescing(act: () => Promise<void>, pauseMs: number, sleep: (ms: number) => Promise<void>): () => void {
  let isRunning = false;
  let calls = 0;

  async function keepUp(): Promise<void> {
    isRunning = true;
    while (calls > 0) {
      const areMany = calls > few;
      calls = 0;
      await act();
      if (areMany) await sleep(pauseMs);
    }
    isRunning = false;
  }

  return () => {
    calls += 1;
    if (!isRunning) void keepUp();
  };
}
