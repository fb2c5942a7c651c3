export type Pace = ReturnType<typeof createPace>;

/**
 * Spaces out what would otherwise happen at once: gives a turn every `everyMs`, and up to `burst` of them at once after a rest. It lives in the memory of one instance: with
 * several, the platform's own limit makes them wait.
 */
export function createPace({ everyMs, burst, now }: { everyMs: number; burst: number; now: () => number }) {
  const places = new Map<string, number>();
  let lastAt = -Infinity;
  let seenAt = -Infinity;

  /** Where the clock was set back, it begins anew. */
  function watchClock(): void {
    if (now() < seenAt) {
      places.clear();
      lastAt = -Infinity;
    }
    seenAt = now();
  }

  function nextAt(): number {
    watchClock();
    return Math.max(lastAt, now() - burst * everyMs) + everyMs;
  }

  return {
    /** When a caller without a place would have its turn, in milliseconds since the epoch; may be past. */
    nextAt,
    /**
     * Asks for a turn. A caller who has to wait keeps its place until it asks again.
     *
     * @returns when to ask again (milliseconds since the epoch); undefined: now is the turn
     */
    turn(key: string): number | undefined {
      watchClock();
      const known = places.get(key);
      const at = known ?? nextAt();
      if (known === undefined) lastAt = at;
      if (at > now()) {
        places.set(key, at);
        return at;
      }
      places.delete(key);
      return undefined;
    },
  };
}
