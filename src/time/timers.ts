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

/**
 * Keeps what is read for some time, also where the clock was set back: who asks meanwhile gets the same answer. One that failed is
 * not kept.
 *
 * @param options.atMost of so many answers, those that were read first are forgotten
 */
export function createRecent<Value>({
  forMs,
  atMost = Infinity,
  now,
}: {
  forMs: number;
  atMost?: number;
  now: () => number;
}) {
  const known = new Map<string, { readAt: number; value: Promise<Value> }>();

  return {
    async of(key: string, read: () => Promise<Value>): Promise<Value> {
      for (const [other, { readAt }] of known) if (Math.abs(now() - readAt) >= forMs) known.delete(other);
      const last = known.get(key);
      if (last) return last.value;
      const entry = { readAt: now(), value: read() };
      known.set(key, entry);
      for (const first of known.keys()) if (known.size > atMost) known.delete(first);
      return entry.value.catch((error: unknown) => {
        if (known.get(key) === entry) known.delete(key);
        throw error;
      });
    },
    forget: (key: string) => void known.delete(key),
    forgetAll: () => known.clear(),
  };
}

/** How waits between attempts grow. */
interface Backoff {
  /** The wait after the first failure. */
  firstMs: number;
  longestMs: number;
  /** How many times longer each wait is than the wait before it; 2 unless given. */
  factor?: number | undefined;
  /** The share of a wait, from 0 to 1, that is left to chance so that many callers do not come back at once; 0 unless given. */
  jitter?: number | undefined;
}

/**
 * How long to wait before the next attempt.
 *
 * @param failures the failures in a row, the last one included
 * @param random from 0 to 1; matters only with `jitter`
 */
export function backoffMs(failures: number, backoff: Backoff, random: () => number = Math.random): number {
  const { firstMs, longestMs, factor = 2, jitter = 0 } = backoff;
  const waitMs = Math.min(longestMs, firstMs * factor ** Math.max(0, failures - 1));
  return jitter === 0 ? waitMs : waitMs * (1 - jitter + jitter * random());
}

/** Work that runs until it is stopped. */
export type Repeating = ReturnType<typeof createRepeating>;

/**
 * Runs `work` at the start, and again `everyMs` milliseconds after each run.
 *
 * @param options.sleep resolves early when the signal aborts
 * @param options.onError takes the error of a failed run; the next run follows all the same
 */
export function createRepeating({
  work,
  everyMs,
  sleep,
  onError,
}: {
  work: () => Promise<void>;
  everyMs: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const stopping = new AbortController();
  let pausing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch(onError);
      pausing = new AbortController();
      await sleep(everyMs, AbortSignal.any([stopping.signal, pausing.signal]));
    }
  }

  return {
    start(): void {
      running = run();
    },
    /** Ends the pause before the next run. */
    runSoon(): void {
      pausing.abort();
    },
    /** Resolves when the run in progress has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

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

/** Works on each item, on so many at a time. Where the work on one fails, the others still get theirs. @throws the first error */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atMost: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atMost }, worker));
}

interface Gathered<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers the items of one turn of the event loop, and acts on them together: a command costs the bot and Redis little more for
 * twenty items than for one.
 *
 * @param atMost how many items share a call of `act`
 * @param act gives an answer for each item, in their order; where it fails, it fails for all of them
 */
export function createGathering<Item, Answer>(
  atMost: number,
  act: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathered: Gathered<Item, Answer>[] = [];

  async function actOn(some: readonly Gathered<Item, Answer>[]): Promise<void> {
    try {
      const answers = await act(some.map(({ item }) => item));
      for (const [n, { resolve }] of some.entries()) resolve(answers[n]!);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function actOnAll(): void {
    const all = gathered;
    gathered = [];
    for (let first = 0; first < all.length; first += atMost) void actOn(all.slice(first, first + atMost));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (gathered.push({ item, resolve, reject }) === 1) setImmediate(actOnAll);
    });
}

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
