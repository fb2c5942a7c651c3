import type { Priority, RateWindow, Reading } from './rate-windows.ts';

/** Leave to make one request. */
export interface Place {
  /**
   * To be called when the request is over. The service counts a request when it arrives, which is
   * not known here: at the latest when its answer comes. Until then a place counts from its taking
   * plus a margin for the way.
   */
  answered(): void;
}

export interface ClaimedPlace extends Place {
  /** Gives the place back; nothing was sent. */
  cancel(): void;
}

export interface Claim {
  /** At most as many of each as were wanted. */
  granted: Record<Priority, ClaimedPlace[]>;
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
