/**
 * Does something for any number of calls: at once for the first, and for all that come while it is under way, or within
 * `pauseMs` after it, once more.
 */
export function createCoalescing(act: () => Promise<void>, pauseMs: number, sleep: (ms: number) => Promise<void>): () => void {
  let isUnderWay = false;
  let isWanted = false;

  async function keepUp(): Promise<void> {
    isUnderWay = true;
    while (isWanted) {
      isWanted = false;
      await act();
      await sleep(pauseMs);
    }
    isUnderWay = false;
  }

  return () => {
    isWanted = true;
    if (!isUnderWay) void keepUp();
  };
}
