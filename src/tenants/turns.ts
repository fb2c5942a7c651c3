/**
 * Lets so many pieces of work of one tenant run at a time. The others wait in the order in which they came, and begin in turns of
 * the event loop of their own, between which the work of other tenants gets its turn.
 */
export function createTurns(atOnce: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else setImmediate(next);
  }

  return async (work) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      end();
    }
  };
}
