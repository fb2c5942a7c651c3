import { InvigilatorError } from '../domain/errors.ts';
import { later, type Now } from '../time/clock.ts';

/** The call's deadline or the time for one attempt has passed; the message says which. */
export class TimeUpError extends InvigilatorError {
  readonly code = 'time_up';
}

const deadlinePassed = 'had no answer before its deadline';

/** Everything that can end a call before its answer: the caller, the deadline, the time for one attempt. */
export class CallScope {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #cancelDeadline: (() => void) | undefined;

  /** @throws the signal's reason, when it is aborted already */
  constructor(options: { signal?: AbortSignal | undefined; deadline?: number | undefined; now: Now }) {
    const { signal, deadline, now } = options;
    signal?.throwIfAborted();
    this.#callerSignal = signal;
    signal?.addEventListener('abort', this.#follow);
    if (deadline === undefined) return;
    const leftMs = deadline - now();
    if (leftMs > 0) this.#cancelDeadline = this.#endAfter(leftMs, deadlinePassed);
    else this.#controller.abort(new TimeUpError(deadlinePassed));
  }

  /** Aborts when the call is ended: its reason is the caller's, or a `TimeUpError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
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

  readonly #follow = () => this.#controller.abort(this.#callerSignal?.reason);

  #endAfter(ms: number, message: string): () => void {
    return later(() => this.#controller.abort(new TimeUpError(message)), ms);
  }
}
