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
