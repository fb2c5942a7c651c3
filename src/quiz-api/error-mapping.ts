import type { IncomingHttpHeaders } from 'node:http';
import { JsonSyntaxError, UnexpectedShapeError, isPage, parseJson } from './answers.ts';
import {
  BadRequestError,
  ConnectionError,
  FirewallError,
  ForbiddenError,
  InvalidResponseError,
  NotFoundError,
  NotJsonError,
  QuizApiError,
  RateLimitedError,
  ServiceError,
  SslRequiredError,
  TimeoutError,
  WrongAddressError,
  type FailedCall,
} from './errors.ts';
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
  const happened = `answered ${status}`;
  const isFromService = !isPage(text);
  const details = { status, serviceMessage: messageIn(text, secrets), isFromService };
  if (redirects.has(status)) return new WrongAddressError(call, `${happened}, which leads to another address`, details);
  if (status === 429) return new RateLimitedError(call, happened, { ...details, retryAt });
  if (status === 404) return new NotFoundError(call, isFromService ? happened : `${happened} with a page`, details);
  if (status === 403 && saysSslRequired.test(text))
    return new SslRequiredError(call, `${happened} because SSL is required`, details);
  if (status === 403 && !isFromService)
    return new FirewallError(call, `${happened} with a page, as firewalls do`, details);
  if (status === 401 || status === 403) return new ForbiddenError(call, happened, details);
  if (status >= 500) return new ServiceError(call, happened, details);
  if (status >= 400) return new BadRequestError(call, happened, details);
  return new QuizApiError(call, happened, details);
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
  if (error instanceof TimeUpError) return new TimeoutError(call, error.message, { status });
  if (error instanceof UnexpectedShapeError)
    return new InvalidResponseError(call, error.field, error.message, { status });
  if (error instanceof JsonSyntaxError) {
    return new NotJsonError(
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
    return new TimeoutError(call, 'fell silent in the middle of the answer', { status, cause: error });
  }
  const happened = status === undefined ? 'found no connection' : 'lost its connection in the middle of the answer';
  const facts = [status, code].filter((fact) => fact !== undefined).join(', ');
  return new ConnectionError(call, facts === '' ? happened : `${happened} (${facts})`, { status, cause: error });
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
