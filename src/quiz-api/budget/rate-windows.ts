/** People wait for an answer; background work can wait for them. */
export type Priority = 'person' | 'background';

/** At most `limit` requests in any `windowMs`. */
export interface RateWindow {
  limit: number;
  windowMs: number;
  /** Places that background work leaves to people. */
  reserved?: number | undefined;
}

/** Section 8 of the specification, with a sixth and a twentieth kept free for people. */
export const serviceWindows: readonly RateWindow[] = [
  { limit: 60, windowMs: 60_000, reserved: 10 },
  { limit: 2000, windowMs: 3_600_000, reserved: 100 },
];

/**
 * How long a request counts: the window and a touch more, since two clocks that measure the same
 * minute differ (up to 100 millionths are allowed for) and each rounds to a millisecond.
 */
export function spanMs(window: RateWindow): number {
  return window.windowMs + Math.ceil(window.windowMs / 10_000) + 1;
}

/** The windows' limits as they are for one priority. */
export function placesFor(window: RateWindow, priority: Priority): number {
  return priority === 'person' ? window.limit : window.limit - (window.reserved ?? 0);
}

/** The most requests that can matter to any of the windows. */
export function longestMemory(windows: readonly RateWindow[]): number {
  return Math.max(...windows.map((window) => window.limit));
}

/** What is known of the requests made so far, in the clock of whoever keeps it. */
export interface Reading {
  now: number;
  /** When each request counts from, ascending. */
  counted: readonly number[];
  refusedUntil: number;
}

/**
 * When the next request can go; in the past or present when it can go now.
 *
 * A request that is on its way (counted from the future) may come to count up to `marginMs` earlier,
 * as soon as it is answered: with a margin this is when it is worth asking again.
 */
export function nextPlaceAt(reading: Reading, windows: readonly RateWindow[], priority: Priority, marginMs = 0): number {
  const { now, counted, refusedUntil } = reading;
  let latest = refusedUntil;
  for (const window of windows) {
    const inTheWay = counted[counted.length - placesFor(window, priority)];
    if (inTheWay === undefined) continue;
    const earlierMs = inTheWay > now ? marginMs : 0;
    latest = Math.max(latest, inTheWay + spanMs(window) - earlierMs);
  }
  return latest;
}

/** How many more requests the window takes now. */
export function placesLeft(reading: Reading, window: RateWindow): number {
  if (reading.now < reading.refusedUntil) return 0;
  const since = reading.now - spanMs(window);
  const used = reading.counted.filter((at) => at > since).length;
  return Math.max(0, window.limit - used);
}

/**
 * A refusal says that a window is full, though we have not filled it: somebody else uses the key too.
 * Gives entries for the requests of others, as many as fill the window but for the one place that
 * is free after the wait.
 *
 * When theirs were made, and whether more come, is not known: they are taken to leave at random
 * times. The shortest window that explains the wait is taken to be the full one; in a short one,
 * others are expected to stay for a while, or as many refusals would come in the next window.
 *
 * @param random from 0 to 1
 */
export function timesOfOthers(
  reading: Reading,
  windows: readonly RateWindow[],
  retryAfterMs: number,
  random: () => number,
): number[] {
  const full = fullWindow(windows, retryAfterMs);
  const missing = placesLeft({ ...reading, refusedUntil: 0 }, full);
  const stayMs = othersStayMs(windows, full);
  return Array.from({ length: Math.max(0, missing - 1) }, () => {
    const leavesInMs = retryAfterMs + random() * Math.max(0, stayMs - retryAfterMs);
    return Math.floor(reading.now + leavesInMs - spanMs(full));
  });
}

const windowsToRememberOthers = 4;

export function othersStayMs(windows: readonly RateWindow[], full: RateWindow): number {
  const shortestMs = Math.min(...windows.map((window) => window.windowMs));
  return Math.max(full.windowMs, windowsToRememberOthers * shortestMs);
}

function fullWindow(windows: readonly RateWindow[], retryAfterMs: number): RateWindow {
  const [shortest, ...longer] = windows.toSorted((a, b) => a.windowMs - b.windowMs);
  if (shortest === undefined) throw new RangeError('a budget needs a window');
  return [shortest, ...longer].find((window) => window.windowMs >= retryAfterMs) ?? longer.at(-1) ?? shortest;
}

/** Plays the coming requests through, to say when each has its turn. */
export class Forecast {
  readonly #windows: readonly RateWindow[];
  readonly #reading: Reading & { counted: number[] };

  constructor(reading: Reading, windows: readonly RateWindow[]) {
    this.#windows = windows;
    this.#reading = { ...reading, counted: [...reading.counted] };
  }

  /** Milliseconds from now until the next request of this priority can go. */
  nextTurnInMs(priority: Priority): number {
    return Math.max(0, nextPlaceAt(this.#reading, this.#windows, priority) - this.#reading.now);
  }

  /** Plays a request that goes in so many milliseconds. */
  go(inMs: number): void {
    insertSorted(this.#reading.counted, this.#reading.now + inMs);
  }
}

/** Inserts into an ascending array; quick where the value belongs near the end. */
export function insertSorted(ascending: number[], value: number): void {
  let index = ascending.length;
  while (index > 0 && (ascending[index - 1] ?? 0) > value) index -= 1;
  ascending.splice(index, 0, value);
}
