/** How long the process was held up of late: by a long computation, or by a machine that has no time for it. */
export interface EventLoopWatch {
  /** The longest delay of the last half minute, in milliseconds. */
  longestDelayMs(): number;
  start(): void;
  stop(): void;
}

const looksEveryMs = 500;
const rememberedForMs = 30_000;

/** Looks at a clock at regular times, and notes by how much it was late. @param clock milliseconds of a clock that never goes back */
export function createEventLoopWatch(clock: () => number = () => performance.now()): EventLoopWatch {
  let delays: { at: number; ms: number }[] = [];
  let expectedAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const at = clock();
    const ms = Math.max(0, at - expectedAt);
    delays = [...delays.filter((delay) => delay.at > at - rememberedForMs && delay.ms > ms), { at, ms }];
    expectedAt = at + looksEveryMs;
  }

  return {
    longestDelayMs() {
      const at = clock();
      const late = Math.max(0, at - expectedAt);
      return delays.filter((delay) => delay.at > at - rememberedForMs).reduce((longest, { ms }) => Math.max(longest, ms), late);
    },
    start() {
      expectedAt = clock() + looksEveryMs;
      timer = setInterval(look, looksEveryMs).unref();
    },
    stop() {
      clearInterval(timer);
      expectedAt = Infinity;
    },
  };
}
