import { monotonicNow, type Now } from '../../time/clock.ts';
import { createHash } from 'node:crypto';

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

/** Permission to make a single request. Call `answered` or `cancel` when the request is over. */
export interface Permit {
  /**
   * The service accepted the request. The service counts a request from its arrival, a moment that
   * only it knows and that is never later than its answer. Until the answer, a permit counts from
   * its grant plus a margin for the way to the service.
   */
  answered(): void;
  /** Returns the permit: nothing was sent, or the service did not count the request. */
  cancel(): void;
}

export interface Claim {
  /** At most as many of each priority as were wanted. */
  granted: Record<Priority, Permit[]>;
  /** When another claim may succeed, if not all were granted. */
  retryInMs: number;
}

/** Records the requests that were made: in memory, or in Redis for several instances. */
export interface Ledger {
  readonly windows: readonly RateWindow[];
  /** Takes the permits that are free now, people first, in a single atomic step. */
  claim(wanted: Readonly<Record<Priority, number>>): Claim | Promise<Claim>;
  /** Records a 429: no request may be sent for `retryAfterMs`. */
  recordRefusal(retryAfterMs: number): void | Promise<void>;
  read(): LedgerState | Promise<LedgerState>;
}

/** The longest way to the service that is allowed for: a sixtieth of the shortest window, a second of a minute. */
export function defaultMarginMs(windows: readonly RateWindow[]): number {
  return Math.ceil(Math.min(...windows.map((window) => window.windowMs)) / 60);
}

/** A ledger for a single instance. */
export function createMemoryLedger(
  options: {
    windows?: readonly RateWindow[] | undefined;
    marginMs?: number | undefined;
    now?: Now | undefined;
    /** From 0 to 1. */
    random?: (() => number) | undefined;
    /** The requests from before a restart. */
    before?: Omit<LedgerState, 'now'> | undefined;
  } = {},
): Ledger {
  const {
    windows = serviceWindows,
    marginMs = defaultMarginMs(windows),
    now = monotonicNow,
    random = Math.random,
  } = options;
  const most = mostRequests(windows);
  const counted = [...(options.before?.counted ?? [])];
  let personAt = options.before?.personAt ?? -Infinity;
  let refusedUntil = options.before?.refusedUntil ?? 0;

  const read = (): LedgerState => ({ now: now(), counted, personAt, refusedUntil });
  const count = (at: number) => {
    insertSorted(counted, at);
    if (counted.length > most) counted.shift();
  };
  const forget = (at: number) => {
    const index = counted.lastIndexOf(at);
    if (index >= 0) counted.splice(index, 1);
  };
  const createPermit = (at: number): Permit => ({
    answered: () => {
      const answeredAt = now();
      if (answeredAt >= at) return;
      forget(at);
      count(answeredAt);
    },
    cancel: () => forget(at),
  });
  const claimFor = (priority: Priority, wanted: number): Permit[] => {
    const permits: Permit[] = [];
    while (permits.length < wanted && nextTurnAt(read(), windows, priority) <= now()) {
      const at = now() + marginMs;
      count(at);
      permits.push(createPermit(at));
    }
    return permits;
  };

  const retryInMs = (priority: Priority): number =>
    Math.max(0, nextTurnAt(read(), windows, priority, marginMs) - now());

  return {
    windows,
    claim: (wanted) => {
      const person = claimFor('person', wanted.person);
      if (person.length > 0) personAt = now();
      const isForPeople = person.length < wanted.person;
      const background = isForPeople ? [] : claimFor('background', wanted.background);
      return { granted: { person, background }, retryInMs: retryInMs(isForPeople ? 'person' : 'background') };
    },
    recordRefusal: (retryAfterMs) => {
      for (const at of timesOfOthers(read(), windows, retryAfterMs, random)) count(at);
      refusedUntil = Math.max(refusedUntil, now() + retryAfterMs);
    },
    read: () => ({ ...read(), counted: [...counted] }),
  };
}

/** The requests that still count, as they are kept. Times are milliseconds since the epoch. */
export interface KeptRequests {
  counted: readonly number[];
  /** When the latest request of a person was granted; undefined for none within the longest window. */
  personAt?: number;
  refusedUntil: number;
}

/** Keyed values, by a hash of the API key: another key has another budget. */
export interface KeptRequestsStore {
  get(key: string): Promise<KeptRequests | undefined>;
  set(key: string, value: KeptRequests, ttlMs: number): Promise<unknown>;
}

/**
 * The ledger of a single instance, which also remembers the requests from before a restart. A request is kept before it is sent.
 *
 * @param options.onError called when requests could not be read or kept; they are sent all the same
 */
export function createKeptLedger(options: {
  store: KeptRequestsStore;
  apiKey: string;
  windows?: readonly RateWindow[] | undefined;
  now?: Now | undefined;
  onError?: ((error: unknown) => void) | undefined;
}): Ledger {
  const { store, windows = serviceWindows, now = monotonicNow, onError = () => {} } = options;
  const key = createHash('sha256').update(options.apiKey).digest('hex').slice(0, 32);
  const longestMs = Math.max(...windows.map(spanMs));
  const marginMs = defaultMarginMs(windows);
  let loading: Promise<Ledger> | undefined;

  async function load(): Promise<Ledger> {
    const kept = await store.get(key).catch(onError);
    // A clock that was ahead must not block the budget for longer than a window.
    const counted = (kept?.counted ?? []).map((at) => Math.min(at, now() + marginMs));
    const personAt = Math.min(kept?.personAt ?? -Infinity, now());
    return createMemoryLedger({
      windows,
      marginMs,
      now,
      before: { counted, personAt, refusedUntil: Math.min(kept?.refusedUntil ?? 0, now() + longestMs) },
    });
  }

  const opened = () => (loading ??= load());

  async function keep(ledger: Ledger): Promise<void> {
    const { counted, personAt, refusedUntil } = await ledger.read();
    const since = now() - longestMs;
    await store
      .set(
        key,
        { counted: counted.filter((at) => at > since), ...(personAt > since && { personAt }), refusedUntil },
        longestMs,
      )
      .catch(onError);
  }

  return {
    windows,
    async claim(wanted) {
      const ledger = await opened();
      const claim = await ledger.claim(wanted);
      if (claim.granted.person.length + claim.granted.background.length > 0) await keep(ledger);
      return claim;
    },
    async recordRefusal(retryAfterMs) {
      const ledger = await opened();
      await ledger.recordRefusal(retryAfterMs);
      await keep(ledger);
    },
    read: async () => (await opened()).read(),
  };
}
