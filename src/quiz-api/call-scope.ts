import { EventEmitter } from 'node:events';
import { InvigilatorError } from '../domain/errors.ts';
import { later, type Now } from '../time/clock.ts';

/** The call's deadline or the time for one attempt has passed; the message says which. */
export class TimeUpError extends InvigilatorError {
  readonly code = 'time_up';
}

const deadlinePassed = 'had no answer before its deadline';

/** Everything that can end a call before its answer: the caller, the deadline, the time for one attempt. */
export class CallScope {
  /** Emits `abort`. undici accepts it as a signal, and it costs a tenth of an `AbortSignal`. */
  readonly aborting = new EventEmitter();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #controller: AbortController | undefined;
  readonly #cancelDeadline: (() => void) | undefined;
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
    if (leftMs > 0) this.#cancelDeadline = this.#endAfter(leftMs, deadlinePassed);
    else this.#abort(new TimeUpError(deadlinePassed));
  }

  /** For waits; undefined where neither caller nor deadline can end the call. */
  get signal(): AbortSignal | undefined {
    return this.#controller?.signal;
  }

  /** The caller's reason or a `TimeUpError`, once the call is ended. */
  get end(): { reason: unknown } | undefined {
    return this.#end;
  }

  /** Ends the call unless `stop` is called within `timeoutMs`. */
  startTimer(timeoutMs: number): { stop(): void } {
    return { stop: this.#endAfter(timeoutMs, `had no answer within ${timeoutMs} ms`) };
  }

  /** Stops listening to the caller's signal and the deadline. */
  close(): void {
    this.#cancelDeadline?.();
    this.#callerSignal?.removeEventListener('abort', this.#follow);
  }

  readonly #follow = () => this.#abort(this.#callerSignal?.reason);

  #endAfter(ms: number, message: string): () => void {
    return later(() => this.#abort(new TimeUpError(message)), ms);
  }

  #abort(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#controller?.abort(reason);
    this.aborting.emit('abort');
  }
}
