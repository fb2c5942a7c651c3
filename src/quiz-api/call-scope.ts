import { LONGEST_TIMER_MS } from './time.ts';
import type { Now } from './time.ts';

export interface CallScope {
  /** Aborts with the caller's reason, or with a `TimeUp`. */
  readonly signal: AbortSignal;
  /** Aborts unless `stop` is called within `timeoutMs`. */
  startTimer(timeoutMs: number): { stop(): void };
  /** Lets go of the caller's signal and the deadline. */
  close(): void;
}

/** Why a call's own clock ended it. */
export class TimeUp {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Everything that can end a call before its answer, as one signal. */
export function openCallScope(options: {
  signal?: AbortSignal | undefined;
  deadline?: number | undefined;
  now: Now;
}): CallScope {
  const { signal, deadline, now } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', follow);

  const abortAfter = (ms: number, reason: string) => {
    const timer = setTimeout(() => controller.abort(new TimeUp(reason)), Math.min(ms, LONGEST_TIMER_MS));
    return { stop: () => clearTimeout(timer) };
  };
  const lastTimer = deadline === undefined ? undefined : abortAfter(deadline - now(), 'had no answer before its deadline');

  return {
    signal: controller.signal,
    startTimer: (timeoutMs) => abortAfter(timeoutMs, `had no answer within ${timeoutMs} ms`),
    close: () => {
      lastTimer?.stop();
      signal?.removeEventListener('abort', follow);
    },
  };
}
