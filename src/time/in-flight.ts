export type InFlight = ReturnType<typeof createInFlight>;

/** Counts running work, so that a stop can wait for it. */
export function createInFlight() {
  const running = new Set<Promise<unknown>>();
  return {
    track<Value>(work: Promise<Value>): Promise<Value> {
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    count: () => running.size,
    /** Resolves when nothing runs any more. Failures count as ends. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
