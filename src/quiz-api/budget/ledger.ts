import type { Priority, RateWindow, Reading } from './rate-windows.ts';

/** Leave to make one request. One of its methods is to be called when the request is over. */
export interface Place {
  /**
   * The service took the request. It counts a request when it arrives, which is not known here: at
   * the latest when its answer comes. Until then a place counts from its taking plus a margin for
   * the way.
   */
  answered(): void;
  /** Gives the place back: nothing was sent, or the service refused to count it. */
  cancel(): void;
}

export interface Claim {
  /** At most as many of each as were wanted. */
  granted: Record<Priority, Place[]>;
  /** When it is worth asking again, if not all were granted. */
  retryInMs: number;
}

/** Where the requests that were made are written down: in memory, or in Redis for several instances. */
export interface Ledger {
  readonly windows: readonly RateWindow[];
  /** Takes what is free now, people first, in one atomic step. */
  claim(wanted: Readonly<Record<Priority, number>>): Claim | Promise<Claim>;
  /** The service refused a request: nothing goes for `retryAfterMs`. */
  refuse(retryAfterMs: number): void | Promise<void>;
  read(): Reading | Promise<Reading>;
}

/**
 * The way to the service is taken to be no longer than this: a sixtieth of the shortest window, a
 * second of a minute.
 */
export function defaultMarginMs(windows: readonly RateWindow[]): number {
  return Math.ceil(Math.min(...windows.map((window) => window.windowMs)) / 60);
}
