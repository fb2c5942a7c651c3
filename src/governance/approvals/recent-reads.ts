/** What each person’s last steps read from the quiz service. */
export interface RecentReads {
  /**
   * Returns what was read for the person under this key in the last 10 seconds, or reads it. Only for what a person is
   * shown: the reads right before a change is run are never taken from here.
   */
  of<Value>(personId: string, key: string, read: () => Promise<Value>): Promise<Value>;
  /** Makes the person’s next step read everything again. */
  forget(personId: string): void;
}

/** Long enough for a second click or a corrected form, short enough for a review to show the present state. */
const ttlMs = 10_000;

export function createRecentReads(deps: { now: () => number }): RecentReads {
  /** The oldest first. */
  const reads = new Map<string, { personId: string; at: number; value: Promise<unknown> }>();

  function forgetWhere(isOver: (read: { personId: string; at: number }) => boolean): void {
    for (const [key, read] of reads) if (isOver(read)) reads.delete(key);
  }

  return {
    async of<Value>(personId: string, key: string, read: () => Promise<Value>) {
      const at = deps.now();
      forgetWhere((earlier) => at - earlier.at > ttlMs);
      const fullKey = JSON.stringify([personId, key]);
      const known = reads.get(fullKey);
      if (known) return known.value as Promise<Value>;
      const value = read();
      reads.set(fullKey, { personId, at, value });
      value.catch(() => reads.delete(fullKey));
      return value;
    },
    forget(personId) {
      forgetWhere((earlier) => earlier.personId === personId);
    },
  };
}
