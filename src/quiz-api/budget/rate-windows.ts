/** Requests that a person waits for go before background work. */
export type Priority = 'person' | 'background';

/** At most `limit` requests in any `windowMs`. */
export interface RateWindow {
  limit: number;
  windowMs: number;
  /** Permits that background work leaves to people who used the bot in the last two windows. */
  reserved?: number | undefined;
  /** Permits that it leaves to people after that; `reserved` unless given. */
  reservedInQuiet?: number | undefined;
}

/**
 * Section 8 of the specification. A permit of a minute that is left unused makes long background work 1.7% longer, so few are
 * reserved while nobody uses the bot. An hour takes too long to recover, so a twentieth of it is always reserved.
 */
export const serviceWindows: readonly RateWindow[] = [
  { limit: 60, windowMs: 60_000, reserved: 10, reservedInQuiet: 1 },
  { limit: 2000, windowMs: 3_600_000, reserved: 100 },
];

/**
 * How long a request counts, in milliseconds: the window and a margin, since two clocks that measure
 * the same minute differ (the margin allows for 100 parts per million) and each rounds to a millisecond.
 */
export function spanMs(window: RateWindow): number {
  return window.windowMs + Math.ceil(window.windowMs / 10_000) + 1;
}

/** The permits of a window that are reserved for people, while they use the bot and after a quiet time. */
export function reserveOf({ reserved = 0, reservedInQuiet = reserved }: RateWindow): {
  inUse: number;
  inQuiet: number;
} {
  return { inUse: reserved, inQuiet: Math.min(reserved, reservedInQuiet) };
}

/** How long people count as using the bot after a request, in milliseconds. */
export function inUseMs({ windowMs }: RateWindow): number {
  return 2 * windowMs;
}

/** The distance of requests that are spread over the window, in milliseconds. */
export function distanceMs({ limit, windowMs }: RateWindow): number {
  return Math.ceil(windowMs / limit);
}

/** The most requests that any of the windows looks back on. */
export function mostRequests(windows: readonly RateWindow[]): number {
  return Math.max(...windows.map((window) => window.limit));
}

/** The requests made so far, in the ledger's own clock. */
export interface LedgerState {
  now: number;
  /** The time from which each request counts, ascending. */
  counted: readonly number[];
  /** When the latest request of a person was granted. */
  personAt: number;
  refusedUntil: number;
}

/**
 * When the next request can be sent; a time in the past means now. After a quiet time, background work leaves to people the
 * permits of `reservedInQuiet` at once, and the others up to `reserved` soon: the second within two distances, the tenth within ten.
 *
 * A request without an answer counts from the future, and its answer moves it up to `marginMs` back.
 * With a margin, the result is the time at which another claim may succeed.
 */
export function nextTurnAt(
  state: LedgerState,
  windows: readonly RateWindow[],
  priority: Priority,
  marginMs = 0,
): number {
  const { now, counted, personAt, refusedUntil } = state;
  const turnIn = (window: RateWindow): number => {
    const turnWith = (reserve: number) => {
      const blocking = counted[counted.length - window.limit + reserve];
      return blocking === undefined ? -Infinity : blocking + spanMs(window) - (blocking > now ? marginMs : 0);
    };
    if (priority === 'person') return turnWith(0);
    const { inUse, inQuiet } = reserveOf(window);
    let inQuietAt = Math.max(personAt + inUseMs(window), turnWith(inQuiet));
    for (let reserve = inQuiet + 1; reserve <= inUse; reserve += 1)
      inQuietAt = Math.max(inQuietAt, turnWith(reserve) - reserve * distanceMs(window));
    return Math.min(turnWith(inUse), inQuietAt);
  };
  return Math.max(refusedUntil, ...windows.map(turnIn));
}

/** How many more requests the window permits now. */
export function permitsLeft(state: LedgerState, window: RateWindow): number {
  if (state.now < state.refusedUntil) return 0;
  const since = state.now - spanMs(window);
  const used = state.counted.filter((at) => at > since).length;
  return Math.max(0, window.limit - used);
}

/**
 * A 429 means that another program uses the key too and that a window is full. Returns the times at
 * which its requests count: as many as fill the window except for the single permit that is free
 * after the wait.
 *
 * Nobody knows when the other program made its requests or whether more follow, so they leave the
 * window at random times. The full window is the shortest window that explains the wait. In a short
 * window the other program's requests stay for several windows; otherwise the next window would bring
 * as many refusals.
 *
 * @param random from 0 to 1
 */
export function timesOfOthers(
  state: LedgerState,
  windows: readonly RateWindow[],
  retryAfterMs: number,
  random: () => number,
): number[] {
  const full = fullWindow(windows, retryAfterMs);
  const missing = permitsLeft({ ...state, refusedUntil: 0 }, full);
  const stayMs = othersStayMs(windows, full);
  return Array.from({ length: Math.max(0, missing - 1) }, () => {
    const leavesInMs = retryAfterMs + random() * Math.max(0, stayMs - retryAfterMs);
    return Math.floor(state.now + leavesInMs - spanMs(full));
  });
}

const windowsToRememberOthers = 4;

/** How long requests of another program count at most, in milliseconds. */
export function othersStayMs(windows: readonly RateWindow[], full: RateWindow): number {
  const shortestMs = Math.min(...windows.map((window) => window.windowMs));
  return Math.max(full.windowMs, windowsToRememberOthers * shortestMs);
}

function fullWindow(windows: readonly RateWindow[], retryAfterMs: number): RateWindow {
  const [shortest, ...longer] = windows.toSorted((a, b) => a.windowMs - b.windowMs);
  if (shortest === undefined) throw new RangeError('a budget needs a window');
  return [shortest, ...longer].find((window) => window.windowMs >= retryAfterMs) ?? longer.at(-1) ?? shortest;
}

/** Simulates the coming requests to predict the turn of each. */
export class Forecast {
  readonly #windows: readonly RateWindow[];
  readonly #state: LedgerState & { counted: number[] };

  constructor(state: LedgerState, windows: readonly RateWindow[]) {
    this.#windows = windows;
    this.#state = { ...state, counted: [...state.counted] };
  }

  /** Milliseconds from now until the next request of this priority can be sent. */
  nextTurnInMs(priority: Priority): number {
    return Math.max(0, nextTurnAt(this.#state, this.#windows, priority) - this.#state.now);
  }

  /** Adds a request that is sent in `inMs` milliseconds. */
  add(inMs: number): void {
    insertSorted(this.#state.counted, this.#state.now + inMs);
  }
}

/** Inserts into an ascending array; fast when the value belongs near the end. */
export function insertSorted(ascending: number[], value: number): void {
  let index = ascending.length;
  while (index > 0 && (ascending[index - 1] ?? 0) > value) index -= 1;
  ascending.splice(index, 0, value);
}

/** What background work leaves to people: what it has to while nobody uses the bot, or always what somebody needs who begins to. */
type Leaving = keyof ReturnType<typeof reserveOf>;

/** The longest window first. */
function backgroundShares(leaving: Leaving) {
  return serviceWindows
    .map((window) => ({ windowMs: window.windowMs, limit: window.limit - reserveOf(window)[leaving] }))
    .toSorted((a, b) => b.windowMs - a.windowMs);
}

/** The requests that background work can send in a minute. */
export function backgroundPerMinute(leaving: Leaving = 'inQuiet'): number {
  const shortest = backgroundShares(leaving).at(-1);
  return shortest ? (shortest.limit * 60_000) / shortest.windowMs : 1;
}

/** How long so many requests take in the background, in milliseconds, while nobody uses the bot. */
export function backgroundDurationMs(requests: number, leaving: Leaving = 'inQuiet'): number {
  let left = Math.max(0, requests - 1);
  let durationMs = 0;
  for (const { limit, windowMs } of backgroundShares(leaving)) {
    durationMs += Math.floor(left / limit) * windowMs;
    left %= limit;
  }
  return durationMs + Math.ceil((left * 60_000) / backgroundPerMinute(leaving));
}
