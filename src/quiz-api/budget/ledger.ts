import { monotonicNow, type Now } from '../../time/clock.ts';
import {
  insertSorted,
  mostRequests,
  nextTurnAt,
  serviceWindows,
  timesOfOthers,
  type Priority,
  type RateWindow,
  type LedgerState,
  spanMs,
} from './rate-windows.ts';
import { createHash } from 'node:crypto';

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
  const counted: number[] = (options.before?.counted ?? []).slice(-most);
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
    const counted = (kept?.counted ?? []).map((at) => Math.min(at, now() + marginMs)).toSorted((a, b) => a - b);
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
