import type { IncomingHttpHeaders } from 'node:http';
import { JsonSyntaxError, UnexpectedShapeError } from './answers.ts';
import { TimeUpError } from './call-scope.ts';
import {
  BadRequestError, ConnectionError, ForbiddenError, InvalidResponseError, NotFoundError, NotJsonError,
  QuizApiError, RateLimitedError, ServiceError, TimeoutError,
} from './errors.ts';
import type { FailedCall } from './errors.ts';

/** An answer whose status is not 2xx. */
export interface Refusal {
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
  const said = readRefusal(text, secrets);
  const details = { status, serviceMessage: said.message };
  if (status === 429) return new RateLimitedError(call, happened, { ...details, retryAt });
  if (status === 404) return new NotFoundError(call, happened, { ...details, isFromService: said.isJson });
  if (status === 401 || status === 403) {
    return new ForbiddenError(call, happened, { ...details, isSslRequired: text.includes('403.4') });
  }
  if (status >= 500) return new ServiceError(call, happened, details);
  if (status >= 400) return new BadRequestError(call, happened, details);
  return new QuizApiError(call, happened, details);
}

/** The error for anything thrown during a call; `status` is undefined before the answer begins. */
export function failureError(call: FailedCall, error: unknown, status: number | undefined, secrets: readonly string[]): QuizApiError {
  if (error instanceof QuizApiError) return error;
  if (error instanceof TimeUpError) return new TimeoutError(call, error.message, { status });
  if (error instanceof UnexpectedShapeError) return new InvalidResponseError(call, error.field, error.message, { status });
  if (error instanceof JsonSyntaxError) {
    return new NotJsonError(call, `answered ${status} with ${isPage(error.text) ? 'a page' : 'text'} where JSON belongs`, {
      status,
      serviceMessage: readRefusal(error.text, secrets).message,
    });
  }
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new TimeoutError(call, 'fell silent in the middle of the answer', { status, cause: error });
  }
  const happened = status === undefined ? 'found no connection' : 'lost its connection in the middle of the answer';
  return new ConnectionError(call, code === undefined ? happened : `${happened} (${code})`, { status, cause: error });
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

/** The message of a failed answer: `message` of its JSON, the title of a page, or the text itself. */
function readRefusal(text: string, secrets: readonly string[]): { message: string | undefined; isJson: boolean } {
  try {
    const body: unknown = JSON.parse(text);
    const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
    return { message: typeof message === 'string' ? presentable(message, secrets) : undefined, isJson: true };
  } catch {
    const words = isPage(text) ? /<title[^>]*>([^<]*)</i.exec(text)?.[1] : text;
    return { message: words === undefined ? undefined : presentable(words, secrets), isJson: false };
  }
}

function isPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** One short line without secrets. */
function presentable(message: string, secrets: readonly string[]): string {
  const shown = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
  const line = shown.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestMessageLength ? `${line.slice(0, longestMessageLength)}…` : line;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
