/**
 * For work that is thought of often and done rarely, such as forgetting what is old.
 *
 * @returns true with the first call, and again once `everyMs` milliseconds have passed since, also where the clock was set back
 */
export function createRarely({ everyMs, now }: { everyMs: number; now: () => number }): () => boolean {
  let lastAt = -Infinity;

  return () => {
    if (Math.abs(now() - lastAt) < everyMs) return false;
    lastAt = now();
    return true;
  };
}
