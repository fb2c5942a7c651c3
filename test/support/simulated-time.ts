/** Time that moves only when the test lets it, for the global timers and `Date.now`: packages cannot take another clock. */
export interface SimulatedTime {
  now(): number;
  /** Lets time pass in small steps, with what arrives over the network in between. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the condition holds. @returns for how long, in milliseconds; `atMostMs` if it never holds */
  passUntil(condition: () => boolean, atMostMs: number): Promise<number>;
  /** Gives the process its own time back. */
  end(): void;
}

const stepMs = 100;
/** Turns of the event loop after each step. A request over loopback takes about five. */
const turnsPerStep = 12;

/** `node:test` has mocked timers as well, but in Node 26.10 clearing one that has fired removes another one. */
export function simulateTime(startMs = Date.UTC(2026, 0, 5)): SimulatedTime {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const realNow = Date.now;
  const timers = new Set<Timer>();
  let time = startMs;

  const simulated =
    (repeats: boolean) =>
    (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const timer = new Timer(time + Math.max(1, ms), repeats ? Math.max(1, ms) : undefined, () => callback(...args));
      timers.add(timer);
      return timer;
    };
  const clear = (timer: unknown) => void timers.delete(timer as Timer);
  Object.assign(globalThis, {
    setTimeout: simulated(false),
    setInterval: simulated(true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  Date.now = () => time;

  /** Runs what is due until `end`, in order. */
  function runDue(end: number): void {
    for (;;) {
      const next = [...timers]
        .filter(({ at }) => at <= end)
        .reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined);
      if (next === undefined) break;
      time = next.at;
      if (next.everyMs === undefined) timers.delete(next);
      else next.at += next.everyMs;
      next.run();
    }
    time = end;
  }

  async function passUntil(condition: () => boolean, atMostMs: number): Promise<number> {
    const begin = time;
    while (!condition() && time - begin < atMostMs) {
      runDue(Math.min(time + stepMs, begin + atMostMs));
      for (let turn = 0; turn < turnsPerStep; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return time - begin;
  }

  return {
    now: () => time,
    pass: async (ms) => void (await passUntil(() => false, ms)),
    passUntil,
    end() {
      Object.assign(globalThis, real);
      Date.now = realNow;
    },
  };
}

/** What `setTimeout` returns, as far as packages use it. */
class Timer {
  at: number;
  readonly everyMs: number | undefined;
  readonly run: () => void;

  constructor(at: number, everyMs: number | undefined, run: () => void) {
    this.at = at;
    this.everyMs = everyMs;
    this.run = run;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => true;
  refresh = () => this;
}
