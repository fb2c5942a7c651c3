import { monotonicNow, type Now } from '../../time/clock.ts';
import { insertSorted, mostRequests, nextTurnAt, serviceWindows, timesOfOthers } from './rate-windows.ts';
import type { Priority, RateWindow, LedgerState } from './rate-windows.ts';

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
