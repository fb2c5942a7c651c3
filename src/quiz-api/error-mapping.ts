import type { IncomingHttpHeaders } from 'node:http';
import { JsonSyntaxError, UnexpectedShapeError, isPage, parseJson } from './answers.ts';
import { QuizApiError, type FailedCall, type Reason } from './errors.ts';
import { isObject, textOf } from './fields.ts';
import { InvigilatorError } from '../domain/errors.ts';
import { later, type Now } from '../time/clock.ts';

/** An answer whose status is not 2xx. */
interface Refusal {
  status: number;
  /** The beginning of the body. */
  text: string;
  /** For a 429: when the service accepts requests again. */
  retryAt: Date;
}

/** The error for an answer whose status is not 2xx. The service's message is shown without the `secrets`. */
export function refusalError(call: FailedCall, refusal: Refusal, secrets: readonly string[]): QuizApiError {
  const { status, text, retryAt } = refusal;
  const isFromService = !isPage(text);
  const failed = (reason: Reason, how = '') =>
    new QuizApiError(reason, call, `answered ${status}${how}`, {
      status,
      serviceMessage: messageIn(text, secrets),
      isFromService,
      availableAt: reason === 'rate limited' ? retryAt : undefined,
    });
  if (redirects.has(status)) return failed('wrong address', ', which leads to another address');
  if (status === 429) return failed('rate limited');
  if (status === 404) return isFromService ? failed('gone') : failed('gone or elsewhere', ' with a page');
  if (status === 403 && saysSslRequired.test(text)) return failed('SSL required', ' because SSL is required');
  if (status === 403 && !isFromService) return failed('firewall', ' with a page, as firewalls do');
  if (status === 401 || status === 403) return failed('forbidden');
  if (status >= 500) return failed('service failed');
  return failed(status >= 400 ? 'bad request' : 'other');
}

const redirects = new Set([301, 302, 303, 307, 308]);
const saysSslRequired = /403\.4|SSL (?:is )?required/i;

/** The error for anything thrown during a call; `status` is undefined before the answer begins. */
export function failureError(
  call: FailedCall,
  error: unknown,
  status: number | undefined,
  secrets: readonly string[],
): QuizApiError {
  if (error instanceof QuizApiError) return error;
  if (error instanceof TimeUpError) return new QuizApiError('timed out', call, error.message, { status });
  if (error instanceof UnexpectedShapeError) return invalidAnswer(call, error.field, error.message, status);
  if (error instanceof JsonSyntaxError) {
    return new QuizApiError(
      'not JSON',
      call,
      `answered ${status} with ${isPage(error.text) ? 'a page' : 'text'} where JSON belongs`,
      {
        status,
        serviceMessage: messageIn(error.text, secrets),
        isFromService: !isPage(error.text),
      },
    );
  }
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new QuizApiError('timed out', call, 'fell silent in the middle of the answer', { status, cause: error });
  }
  const happened = status === undefined ? 'found no connection' : 'lost its connection in the middle of the answer';
  const facts = [status, code].filter((fact) => fact !== undefined).join(', ');
  const words = facts === '' ? happened : `${happened} (${facts})`;
  return new QuizApiError('no connection', call, words, { status, cause: error });
}

/** @param field the path of the wrong field, for example `[3].user_type`; empty for the answer itself */
export function invalidAnswer(call: FailedCall, field: string, problem: string, status = 200): QuizApiError {
  const happened = `answered ${status}, but ${field || 'the answer'} is wrong: ${problem}`;
  return new QuizApiError('invalid answer', call, happened, { status });
}

/**
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date.
 *
 * @returns milliseconds from `now`; null without a header that can be read
 */
export function readRetryAfterMs(headers: IncomingHttpHeaders, now: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined || value === '') return null;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

const longestMessageLength = 300;

/** The message of an answer: `message` or `Message` of its JSON, a JSON string, the title of a page, or the text itself. */
function messageIn(text: string, secrets: readonly string[]): string | undefined {
  const message = isPage(text) ? /<title[^>]*>([^<]*)</i.exec(text)?.[1] : messageOfJson(text);
  return message === undefined ? undefined : presentable(message, secrets);
}

function messageOfJson(text: string): string | undefined {
  try {
    const body = parseJson(text);
    const message = isObject(body) ? textOf(body['message']) || textOf(body['Message']) : textOf(body);
    return message === '' ? undefined : message;
  } catch {
    return text;
  }
}

/** One short line without tags and secrets. */
function presentable(message: string, secrets: readonly string[]): string {
  const shown = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
  const line = shown
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&nbsp;|\s+/g, ' ')
    .trim();
  return line.length > longestMessageLength ? `${line.slice(0, longestMessageLength)}…` : line;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

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
