import { parseFromOutside } from '../domain/said.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { InvigilatorError } from '../domain/errors.ts';
import { idOf, isObject, textOf } from './fields.ts';
import { QuizApiError, type FailedCall, type Reason } from './errors.ts';
import { later, type Now } from '../time/clock.ts';

/** The body of a successful answer, as undici gives it. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
}

/** Reads a successful answer into what the operation returns. */
export type ReadAnswer<T> = (body: AnswerBody, headers: IncomingHttpHeaders) => Promise<T>;

/** The answer is JSON of another shape than the operation expects. */
export class UnexpectedShapeError extends InvigilatorError {
  readonly code = 'unexpected_shape';
  readonly field: string;

  constructor(fieldPath: readonly PropertyKey[], problem: string) {
    super(problem);
    this.field = formatFieldPath(fieldPath);
  }
}

/** The answer is not JSON. */
class JsonSyntaxError extends InvigilatorError {
  readonly code = 'not_json';
  readonly text: string;

  constructor(text: string) {
    super('not JSON');
    this.text = text;
  }
}

/** Reads a single resource. */
export function readResource<T>(schema: z.ZodType<T>): ReadAnswer<T> {
  return async (body) => {
    const result = schema.safeParse(parseJson(await body.text()));
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new UnexpectedShapeError(issue?.path ?? [], issue?.message ?? 'does not fit');
  };
}

/** Reads the id of a resource that was found, from JSON; null where the answer has none. */
export function readFoundId(field: string): ReadAnswer<string | null> {
  return async (body) => idIn(parseJson(await body.text()), field) ?? null;
}

/**
 * Reads the answer to a write, in which any status 2xx means that it is done: real accounts answer with the JSON of the
 * specification, with other JSON, with text or with nothing. Only a page of HTML comes from elsewhere, and JSON that says
 * it failed leaves open what was done.
 *
 * @throws {JsonSyntaxError | UnexpectedShapeError} for a page, and for a failure
 */
export async function readDone(body: AnswerBody): Promise<void> {
  readWritten(await body.text());
}

/**
 * Reads the id of a resource that was made: the answer's `field` or `id`, also inside `data`, or the last segment of the
 * `Location`. Null where the answer says no more than that it is done.
 *
 * @throws {JsonSyntaxError | UnexpectedShapeError} for a page, and for a failure
 */
export function readNewId(field: string): ReadAnswer<string | null> {
  return async (body, { location }) => idIn(readWritten(await body.text()), field) ?? lastSegment(location) ?? null;
}

function readWritten(text: string): unknown {
  if (isPage(text)) throw new JsonSyntaxError(text);
  const value = tryParseJson(text);
  const field = failureIn(value);
  if (field !== undefined) throw new UnexpectedShapeError([field], 'it says that the call failed');
  return value;
}

/** The field of an answer that says that the call failed, whatever its status is: `{"error": "…"}`, `{"message": "400: …"}`. */
function failureIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const says = (text: unknown) => /^\s*[45]\d\d\b/.test(textOf(text));
  if (value['success'] === false) return 'success';
  return (
    ['error', 'errors', 'Error'].find((field) => isGiven(value[field])) ??
    ['message', 'Message', 'status', 'statusCode', 'code'].find((field) => says(value[field]))
  );
}

/** Some services answer with an empty `error` where nothing is wrong. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function idIn(value: unknown, field: string): string | undefined {
  if (!isObject(value)) return undefined;
  const { data } = value;
  return (
    idOf(value[field]) ?? idOf(value['id']) ?? (isObject(data) ? (idOf(data[field]) ?? idOf(data['id'])) : undefined)
  );
}

/** The id in an address such as `/api/v1/users/9f1c`. */
function lastSegment(location: string | undefined): string | undefined {
  const segment = /\/v1\/(?:users|quizzes)\/([^/?#]+)$/.exec(location ?? '')?.[1];
  try {
    return segment === undefined ? undefined : idOf(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** @throws {JsonSyntaxError} */
export function parseJson(text: string): unknown {
  try {
    return parseFromOutside(withoutByteOrderMark(text));
  } catch {
    throw new JsonSyntaxError(text);
  }
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether a body is a page of HTML, which does not come from the service itself. */
function isPage(text: string): boolean {
  return /^\s*</.test(withoutByteOrderMark(text));
}

function formatFieldPath(fieldPath: readonly PropertyKey[]): string {
  return fieldPath
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

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
  const body = tryParseJson(text);
  if (body === undefined) return text;
  return (isObject(body) ? textOf(body['message']) || textOf(body['Message']) : textOf(body)) || undefined;
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
