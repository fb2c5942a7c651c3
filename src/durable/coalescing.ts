/** Up to so many calls at a time are few. */
const few = 4;

/**
 * Collects items and acts on them: at once on the first, and on all that come while `act` runs together after it. After
 * many calls it pauses for `pauseMs`, so that more of them share the next `act`.
 */
export function createCoalescing<Item>(
  act: (items: ReadonlySet<Item>) => Promise<void>,
  pauseMs: number,
  sleep: (ms: number) => Promise<void>,
): (item: Item) => void {
  let isRunning = false;
  let calls = 0;
  let items = new Set<Item>();

  async function keepUp(): Promise<void> {
    isRunning = true;
    while (calls > 0) {
      const areMany = calls > few;
      const collected = items;
      calls = 0;
      items = new Set();
      await act(collected);
      if (areMany) await sleep(pauseMs);
    }
    isRunning = false;
  }

  return (item) => {
    calls += 1;
    items.add(item);
    if (!isRunning) void keepUp();
  };
}
