/** How long the process was held up of late: by a long computation, or by a machine that has no time for it. */
export interface EventLoopWatch {
  /** The longest delay of the last half minute, in milliseconds. */
  longestDelayMs(): number;
  start(): void;
  stop(): void;
}

const looksEveryMs = 500;
const rememberedForMs = 30_000;

/** Looks at a clock that never goes back at regular times, and notes by how much it was late. */
export function createEventLoopWatch({ clock = () => performance.now(), every = repeat }: {
  /** Milliseconds. */
  clock?: () => number;
  /** @returns what ends it */
  every?: (ms: number, run: () => void) => () => void;
} = {}): EventLoopWatch {
  let delays: { at: number; ms: number }[] = [];
  let expectedAt = Infinity;
  let end = () => {};

  function look(): void {
    const at = clock();
    const ms = Math.max(0, at - expectedAt);
    // Of what is shorter and older nobody will hear any more.
    delays = [...delays.filter((delay) => isRemembered(delay) && delay.ms > ms), { at, ms }];
    expectedAt = at + looksEveryMs;
  }

  const isRemembered = ({ at }: { at: number }) => at > clock() - rememberedForMs;

  return {
    longestDelayMs: () => Math.max(0, clock() - expectedAt, ...delays.filter(isRemembered).map(({ ms }) => ms)),
    start() {
      expectedAt = clock() + looksEveryMs;
      end = every(looksEveryMs, look);
    },
    stop() {
      end();
      expectedAt = Infinity;
    },
  };
}

function repeat(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}
