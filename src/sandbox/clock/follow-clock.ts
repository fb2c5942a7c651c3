/**
 * Preload module of the bot (`node --import`): its time follows the sandbox's clock. Parent and bot exchange `ClockMessage`
 * and `ClockReport` over the IPC channel of `child_process`.
 *
 * `Date`, `performance` and the timers move. The I/O timeouts inside Node do not.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClockMessage, ClockReport } from './sandbox-clock.ts';

const real = { now: Date.now, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, Date };

/** How far this process is ahead of the system's clock. */
let aheadMs = 0;
let startedAheadMs = 0;

/** Called right after the import, before anything runs by this time. A restarted bot starts with the value of its parent. */
export function startAhead(ms: number): void {
  aheadMs = ms;
  startedAheadMs = ms;
}

const now = (): number => real.now() + aheadMs;

const longestDelayMs = 2 ** 31 - 1;

const pending = new Set<FollowingTimer>();
const byId = new Map<number, FollowingTimer>();
let lastId = 0;

/** Has the methods of `NodeJS.Timeout`. A timer of Node’s own cannot be fired early: clearing it disables `refresh`. */
class FollowingTimer {
  dueMs = 0;
  readonly delayMs: number;
  readonly isRepeating: boolean;
  readonly #run: () => void;
  readonly #id = ++lastId;
  #timer: NodeJS.Timeout | undefined;
  #isReferenced = true;

  constructor(run: () => void, delayMs: number | undefined, isRepeating: boolean) {
    const given = Number(delayMs);
    this.delayMs = given >= 1 && given <= longestDelayMs ? Math.trunc(given) : 1;
    this.isRepeating = isRepeating;
    this.#run = AsyncLocalStorage.bind(run);
    this.#start();
  }

  #start(): void {
    real.clearTimeout(this.#timer);
    this.dueMs = now() + this.delayMs;
    this.#timer = real.setTimeout(() => this.fire(), this.delayMs);
    if (!this.#isReferenced) this.#timer.unref();
    pending.add(this);
    byId.set(this.#id, this);
  }

  fire(): void {
    if (!pending.has(this)) return;
    this.close();
    if (this.isRepeating) this.#start();
    this.#run();
  }

  close(): this {
    real.clearTimeout(this.#timer);
    pending.delete(this);
    byId.delete(this.#id);
    return this;
  }

  ref(): this {
    this.#isReferenced = true;
    this.#timer?.ref();
    return this;
  }

  unref(): this {
    this.#isReferenced = false;
    this.#timer?.unref();
    return this;
  }

  hasRef(): boolean {
    return this.#isReferenced;
  }

  refresh(): this {
    this.#start();
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Callback = (...args: unknown[]) => void;
const setFollowing =
  (isRepeating: boolean) =>
  (callback: Callback, delayMs?: number, ...args: unknown[]): FollowingTimer =>
    new FollowingTimer(() => callback(...args), delayMs, isRepeating);

function clearFollowing(timer: unknown): void {
  const found = timer instanceof FollowingTimer ? timer : byId.get(Number(timer));
  if (found !== undefined) found.close();
  else real.clearTimeout(timer as NodeJS.Timeout);
}

interface DelayOptions {
  signal?: AbortSignal | null;
  ref?: boolean;
}

function delay<Value>(
  delayMs?: number,
  value?: Value,
  { signal, ref = true }: DelayOptions = {},
): Promise<Value | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
  const abort = (): void => {
    timer.close();
    const error = new Error('The operation was aborted', { cause: signal?.reason });
    reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
  };
  const timer = new FollowingTimer(
    () => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    },
    delayMs,
    false,
  );
  if (!ref) timer.unref();
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return promise;
}

async function* ticks<Value>(
  delayMs?: number,
  value?: Value,
  options?: DelayOptions,
): AsyncGenerator<Value | undefined> {
  for (;;) yield await delay(delayMs, value, options);
}

const setTimeoutFollowing = setFollowing(false);
Object.defineProperty(setTimeoutFollowing, promisify.custom, { value: delay });
const following = {
  setTimeout: setTimeoutFollowing,
  setInterval: setFollowing(true),
  clearTimeout: clearFollowing,
  clearInterval: clearFollowing,
};
Object.assign(globalThis, following);
Object.assign(timers, following);
Object.assign(timersPromises, { setTimeout: delay, setInterval: ticks });
syncBuiltinESMExports();

real.Date.now = now;
globalThis.Date = new Proxy(real.Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new real.Date(now()).toString(),
});
const realTimeOrigin = performance.timeOrigin;
const realPerformanceNow = performance.now.bind(performance);
Object.defineProperty(performance, 'timeOrigin', { get: () => realTimeOrigin + startedAheadMs });
// A skip is time that passes, not a clock that is set: the bot compares the two. `/healthz` and the metrics show it as a delay.
performance.now = () => realPerformanceNow() + aheadMs - startedAheadMs;

/** The requests from and to the bot that wait for a response. */
const inFlight = new Set<unknown>();
/** All requests so far, and those among them that are no GET. */
const counts = { requests: 0, work: 0 };

function begin(request: Request): void {
  inFlight.add(request);
  counts.requests += 1;
  if (request.method !== 'GET') counts.work += 1;
}

interface Request {
  method: string;
}

const requestOf = (message: unknown): Request => (message as { request: Request }).request;
subscribe('undici:request:create', (message) => begin(requestOf(message)));
for (const end of ['undici:request:trailers', 'undici:request:error'])
  subscribe(end, (message) => void inFlight.delete(requestOf(message)));
subscribe('http.server.request.start', (message) => {
  const request = requestOf(message);
  begin(request);
  (message as { response: NodeJS.EventEmitter }).response.once('close', () => inFlight.delete(request));
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => real.setTimeout(resolve, ms));

const checkEveryMs = 2;
const quietChecks = 2;
const mostChecks = 1000;

/** What came from outside JavaScript so far: answers over sockets, finished work of the thread pool. */
const arrivals = (): number => performance.nodeTiming.uvMetricsInfo.events;

/** Resolves when no request has begun or waited, and nothing else has come in, for 4 ms, after 2 s at the latest. */
async function settle(): Promise<void> {
  let quiet = 0;
  for (let checks = 0; quiet < quietChecks && checks < mostChecks; checks += 1) {
    const before = { requests: counts.requests, arrivals: arrivals() };
    await pause(checkEveryMs);
    const isQuiet = inFlight.size === 0 && counts.requests === before.requests && arrivals() === before.arrivals;
    quiet = isQuiet ? quiet + 1 : 0;
  }
}

/** Resolves after the next turn of the event loop. */
const turn = (work?: () => void): Promise<void> =>
  new Promise((resolve) => {
    real.setImmediate(() => {
      resolve();
      work?.();
    });
  });

/** Moves the time and fires what is due in between, in order. An interval fires once. */
async function move(toMs: number): Promise<void> {
  aheadMs = toMs;
  const due = [...pending].filter((timer) => timer.dueMs <= now()).toSorted((a, b) => a.dueMs - b.dueMs);
  for (const timer of due) {
    // An error in the callback ends the process, as it does without the sandbox.
    await turn(() => {
      if (timer.dueMs <= now()) timer.fire();
    });
    // What the timer began begins before the next timer.
    await turn();
  }
}

/** The count of the last report: a bot can go on working after it. */
let reportedWork = 0;

async function follow(message: ClockMessage): Promise<void> {
  await move(message.aheadMs);
  await settle();
  const long = [...pending].filter((timer) => !timer.isRepeating && timer.delayMs >= message.longDelayMs);
  const report: ClockReport = {
    kind: 'sandbox-clock',
    aheadMs: message.aheadMs,
    wasBusy: counts.work > reportedWork,
    nextDueMs: Math.min(...long.map((timer) => timer.dueMs), Number.MAX_SAFE_INTEGER),
  };
  reportedWork = counts.work;
  if (process.connected) process.send?.(report, undefined, undefined, () => {});
}

process.on('message', (message: ClockMessage) => {
  if (message.kind === 'sandbox-clock') void follow(message);
});
// A listener keeps the channel open, and with it a bot that wants to exit.
process.channel?.unref();
