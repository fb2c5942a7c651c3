/** Spaces out what would otherwise happen at once. */
export interface Pace {
  /**
   * Asks for a turn. A caller who has to wait keeps its place until it asks again.
   *
   * @returns when to ask again (milliseconds since the epoch); undefined: now is the turn
   */
  turn(key: string): number | undefined;
  /** When a caller without a place would have its turn, in milliseconds since the epoch; may be past. */
  nextAt(): number;
}

/** A longer wait means that the clock was set back. */
const longestWaitMs = 24 * 3_600_000;

/**
 * Gives a turn every `everyMs`, and up to `burst` of them at once after a rest. It lives in the memory of one instance: with
 * several, the platform's own limit makes them wait.
 */
export function createPace({ everyMs, burst, now }: { everyMs: number; burst: number; now: () => number }): Pace {
  const places = new Map<string, number>();
  let lastAt = -Infinity;

  function nextAt(): number {
    const isSetBack = lastAt > now() + longestWaitMs;
    return Math.max(isSetBack ? -Infinity : lastAt, now() - burst * everyMs) + everyMs;
  }

  return {
    nextAt,
    turn(key) {
      const known = places.get(key);
      const isKnown = known !== undefined && known <= now() + longestWaitMs;
      const at = isKnown ? known : nextAt();
      if (!isKnown) lastAt = at;
      if (at > now()) {
        places.set(key, at);
        return at;
      }
      places.delete(key);
      return undefined;
    },
  };
}
