import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const quarterMs = 15 * minuteMs;
const longestTimerMs = 2 ** 31 - 1;

/** Timers with at least this delay wait for a moment, for example for 9:00. Shorter ones only set a pace. */
const momentMs = 2 * minuteMs;

const never = Number.MAX_SAFE_INTEGER;

/**
 * Steps of a clock for tests about days: what the bot does every quarter of an hour, such as its look for missed webhooks, happens
 * every six hours. What waits for a moment in a timer of more than twenty minutes still comes at its time.
 */
export const quarterDaySteps = { longestStepMs: 6 * 60 * minuteMs, longDelayMs: 20 * minuteMs };

/** What the sandbox sends to a bot that follows its clock. */
export interface ClockMessage {
  kind: 'sandbox-clock';
  /** How far the clock is ahead of the system's, in milliseconds. */
  aheadMs: number;
  /** Timers with at least this delay are long: they wait for a moment. */
  longDelayMs: number;
}

/** What a bot answers once it has done what was due. */
export interface ClockReport extends Omit<ClockMessage, 'longDelayMs'> {
  /** Whether the bot sent or got a request since its last report, apart from GET requests, with which it polls. */
  wasBusy: boolean;
  /** When its next long timer fires: milliseconds since 1970, or `Number.MAX_SAFE_INTEGER`. */
  nextDueMs: number;
}

/** A skip in progress, in milliseconds since 1970. */
interface Skip {
  fromMs: number;
  toMs: number;
}

export type SandboxClock = ReturnType<typeof createSandboxClock>;

/**
 * The clock of a sandbox. It runs as fast as the system's and can skip ahead. The workspace and the quiz service take it as
 * `clock`; bots run in processes of their own and follow it:
 *
 * ```ts
 * const bot = spawn(process.execPath, [...clock.nodeFlags(), 'src/main.ts'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
 * clock.lead(bot);
 * await clock.skip(7 * 24 * 60 * 60_000);
 * ```
 *
 * @param aheadMs how far the clock is ahead of the system's at the start
 * @param options.longestStepMs of a skip. An hour will do for bots that wait in timers; what waits elsewhere, such as in
 *   Redis, is only looked at between two steps. Default: 15 minutes
 * @param options.longDelayMs from which delay on timers wait for a moment, for example for 9:00; shorter ones only set a pace.
 *   Default: 2 minutes
 */
export function createSandboxClock(aheadMs = 0, { longestStepMs = quarterMs, longDelayMs = momentMs } = {}) {
  const timers = new Set<{ dueMs: number; delayMs: number; fire(): void }>();
  const bots = new Set<ChildProcess>();
  const listeners: (() => void)[] = [];
  const stops: (() => number)[] = [];
  const held = new Set<Promise<unknown>>();
  let jumping: Promise<unknown> | undefined;
  let skipping: Skip | undefined;
  let running: Promise<void> | undefined;
  const now = (): number => Date.now() + aheadMs;
  const announce = (): void => {
    for (const listener of listeners) listener();
  };

  async function jump(toMs: number): Promise<{ wasBusy: boolean; nextDueMs: number }> {
    aheadMs = Math.max(aheadMs, toMs - Date.now());
    const moved = [...bots].map((bot) => move(bot, { kind: 'sandbox-clock', aheadMs, longDelayMs }));
    for (const timer of [...timers].filter(({ dueMs }) => dueMs <= now()).toSorted((a, b) => a.dueMs - b.dueMs))
      timer.fire();
    const reports = await Promise.all(moved);
    return {
      wasBusy: reports.some((report) => report?.wasBusy),
      nextDueMs: Math.min(
        ...reports.map((report) => report?.nextDueMs ?? never),
        ...[...timers].filter(({ delayMs }) => delayMs >= longDelayMs).map(({ dueMs }) => dueMs),
        never,
      ),
    };
  }

  async function run(skip: Skip): Promise<void> {
    let stepMs = secondMs;
    let nextDueMs = never;
    while (now() < skip.toMs) {
      const startMs = now();
      const nextFullMs = (Math.floor(startMs / longestStepMs) + 1) * longestStepMs;
      await allHeld();
      // What came due since the last step, as the system’s clock goes on, has its turn before the next one.
      const moments = stops.map((next) => next()).filter((at) => at > startMs);
      const stopMs = Math.min(Math.max(nextDueMs, startMs), ...moments);
      const jumped = jump(Math.min(skip.toMs, startMs + stepMs, nextFullMs, stopMs));
      jumping = jumped;
      const report = await jumped;
      nextDueMs = report.nextDueMs;
      stepMs = report.wasBusy ? secondMs : Math.min(stepMs * 8, longestStepMs);
      announce();
    }
    await allHeld();
  }

  async function allHeld(): Promise<void> {
    while (held.size > 0) await Promise.allSettled(held);
  }

  return {
    /** Milliseconds since 1970. */
    now,
    /** Runs the callback once, after `delayMs`. The timer does not keep the process alive. @returns a function that cancels it */
    after(delayMs: number, callback: () => void): () => void {
      const timer = {
        dueMs: now() + delayMs,
        delayMs,
        fire() {
          if (!timers.has(timer)) return;
          cancel();
          callback();
        },
      };
      const inner = setTimeout(() => timer.fire(), Math.min(delayMs, longestTimerMs)).unref();
      const cancel = (): void => {
        timers.delete(timer);
        clearTimeout(inner);
      };
      timers.add(timer);
      return cancel;
    },
    /** From which delay on something waits for a moment. */
    longDelayMs,
    get aheadMs(): number {
      return aheadMs;
    },
    /** The flags that make a new Node process follow this clock. Read them at each start: they name the time of the start. */
    nodeFlags: (): string[] => [`--import=data:text/javascript,${encodeURIComponent(followFrom(aheadMs))}`],
    /** Moves the time of this process as well. It needs `nodeFlags` and an IPC channel. */
    lead(bot: ChildProcess): void {
      bots.add(bot);
      bot.once('exit', () => bots.delete(bot));
    },
    /**
     * Skips ahead. What is due in between happens at its time: the clock goes in steps of at most `longestStepMs`, stops at
     * its multiples and at what long timers wait for, here and in the bots, and goes on when the bots are idle. While they
     * work, it goes second by second. A second skip during the first prolongs it.
     */
    async skip(ms: number): Promise<void> {
      if (skipping !== undefined) skipping.toMs += ms;
      else {
        skipping = { fromMs: now(), toMs: now() + ms };
        announce();
        running = run(skipping).finally(() => {
          skipping = undefined;
          announce();
        });
      }
      await running;
    },
    /** Runs the work between two steps of a skip, so that the bot’s clock and this one agree during it. */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      // Held at once, so that the next step waits for work that waits for this one.
      const working = (async () => {
        await jumping;
        return work();
      })();
      held.add(working);
      return working.finally(() => held.delete(working));
    },
    get skipping(): Skip | undefined {
      return skipping;
    },
    /** Calls back at each step of a skip and at its end. */
    onChange(listener: () => void): void {
      listeners.push(listener);
    },
    /**
     * Has skips also stop at a time that neither this process nor a bot waits for: milliseconds since 1970, asked before
     * each step; one that is over is none.
     */
    stopAt(next: () => number): void {
      stops.push(next);
    },
  };
}

/** The module has one URL whatever the time is, so that Node finds it compiled. */
const followFrom = (aheadMs: number): string =>
  `import{startAhead}from${JSON.stringify(new URL('follow-clock.ts', import.meta.url).href)};startAhead(${aheadMs})`;

/** Resolves with the bot's report, or with undefined when the bot exits first. */
function move(bot: ChildProcess, told: ClockMessage): Promise<ClockReport | undefined> {
  const { promise, resolve } = Promise.withResolvers<ClockReport | undefined>();
  const take = (message: unknown): void => {
    const report = message as ClockReport;
    if (report.kind === 'sandbox-clock' && report.aheadMs === told.aheadMs) resolve(report);
  };
  const giveUp = (): void => resolve(undefined);
  bot.on('message', take).once('exit', giveUp).once('disconnect', giveUp);
  if (bot.connected) bot.send(told, (error) => error && giveUp());
  else giveUp();
  return promise.finally(() => bot.off('message', take).off('exit', giveUp).off('disconnect', giveUp));
}

/**
 * A clock that stays ahead after a restart: what was kept would lie in the future otherwise.
 * @param path of its file
 * @param options.startMs of a clock that no file keeps, in milliseconds since 1970. Default: now
 * @param options.longestStepMs as `createSandboxClock` takes it, and `longDelayMs` as well
 */
export function openKeptClock(
  path: string,
  { startMs, ...options }: { startMs?: number | undefined; longestStepMs?: number; longDelayMs?: number } = {},
): SandboxClock {
  const kept = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { aheadMs: number })
    : { aheadMs: startMs === undefined ? 0 : startMs - Date.now() };
  const clock = createSandboxClock(kept.aheadMs, options);
  clock.onChange(() => writeFileSync(path, JSON.stringify({ aheadMs: clock.aheadMs })));
  return clock;
}
