/** The records of all lists that are read at the same time: two lists of 50,000 responses, which take about 60 MiB each. */
const recordsAtOnce = 100_000;
/** Of a list whose length is not known yet. */
const usualLength = 25_000;
/** Shorter lists never wait. */
export const longFrom = 5_000;

interface Waiting {
  length: number;
  isBackground: boolean;
  grant: () => void;
}

export type ListTurns = ReturnType<typeof createListTurns>;

/** Has large lists take turns, so that memory holds few of them. People come before the background, which reads one at a time. */
export function createListTurns() {
  const reading = new Set<Waiting>();
  const waiting: Waiting[] = [];

  const inOrder = () => [
    ...waiting.filter(({ isBackground }) => !isBackground),
    ...waiting.filter(({ isBackground }) => isBackground),
  ];

  function fits({ length, isBackground }: Waiting): boolean {
    const others = [...reading];
    if (isBackground && others.some((other) => other.isBackground)) return false;
    return others.length === 0 || others.reduce((sum, other) => sum + other.length, length) <= recordsAtOnce;
  }

  function grantNext(): void {
    for (const next of inOrder()) {
      if (!fits(next)) {
        if (next.isBackground) continue;
        return;
      }
      waiting.splice(waiting.indexOf(next), 1);
      reading.add(next);
      next.grant();
    }
  }

  return {
    /** @param length that of the list when it was last read; undefined where it is not known */
    take({ length = usualLength, isBackground }: { length: number | undefined; isBackground: boolean }): {
      granted: Promise<void>;
      isWaiting: () => boolean;
      release: () => void;
    } {
      const { promise: granted, resolve: grant } = Promise.withResolvers<void>();
      if (length < longFrom) {
        grant();
        return { granted, isWaiting: () => false, release() {} };
      }
      const own: Waiting = { length, isBackground, grant };
      waiting.push(own);
      grantNext();
      return {
        granted,
        isWaiting: () => waiting.includes(own),
        release() {
          reading.delete(own);
          grantNext();
        },
      };
    },
  };
}
