import { EventEmitter } from 'node:events';
import { longestTimerMs } from './time.ts';
import type { Now } from './time.ts';

/** Why a call's own clock ended it. */
export class TimeUp {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const deadlinePassed = 'had no answer before its deadline';

/** Everything that can end a call before its answer: the caller, the deadline, the time for one attempt. */
export class CallScope {
  /** Emits `abort`; what undici takes for a signal too, at a tenth of an `AbortSignal`'s cost. */
  readonly aborting = new EventEmitter();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #controller: AbortController | undefined;
  readonly #deadlineTimer: NodeJS.Timeout | undefined;
  #end: { reason: unknown } | undefined;

  /** @throws the signal's reason, when it is aborted already */
  constructor(options: { signal?: AbortSignal | undefined; deadline?: number | undefined; now: Now }) {
    const { signal, deadline, now } = options;
    signal?.throwIfAborted();
    this.#callerSignal = signal;
    if (signal === undefined && deadline === undefined) return;
    this.#controller = new AbortController();
    signal?.addEventListener('abort', this.#follow);
    if (deadline === undefined) return;
    const leftMs = deadline - now();
    if (leftMs > 0) this.#deadlineTimer = this.#endAfter(leftMs, deadlinePassed);
    else this.#abort(new TimeUp(deadlinePassed));
  }

  /** For what waits; undefined where neither caller nor deadline can end the call. */
  get signal(): AbortSignal | undefined {
    return this.#controller?.signal;
  }

  /** The caller's reason or a `TimeUp`, once the call is ended. */
  get end(): { reason: unknown } | undefined {
    return this.#end;
  }

  /** Ends the call unless `stop` is called within `timeoutMs`. */
  startTimer(timeoutMs: number): { stop(): void } {
    const timer = this.#endAfter(timeoutMs, `had no answer within ${timeoutMs} ms`);
    return { stop: () => clearTimeout(timer) };
  }

  /** Lets go of the caller's signal and the deadline. */
  close(): void {
    clearTimeout(this.#deadlineTimer);
    this.#callerSignal?.removeEventListener('abort', this.#follow);
  }

  readonly #follow = () => this.#abort(this.#callerSignal?.reason);

  #endAfter(ms: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => this.#abort(new TimeUp(reason)), Math.min(ms, longestTimerMs));
  }

  #abort(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#controller?.abort(reason);
    this.aborting.emit('abort');
  }
}
