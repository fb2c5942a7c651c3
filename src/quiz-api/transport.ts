import type { Dispatcher } from 'undici';
import type { Now, Sleep } from '../time/clock.ts';
import { type ReadAnswer, CallScope, TimeUpError, failureError, readRetryAfterMs, refusalError } from './answers.ts';
import type { Permit, Priority } from './budget/rate-windows.ts';
import { ShareSpentError, TurnTooLateError, type RequestBudget } from './budget/request-budget.ts';
import { openFile, type DownloadedFile } from './download.ts';
import { failedWith, failedFor, neverConnected, QuizApiError, turnAfter, type FailedCall } from './errors.ts';
import { backoffMs } from '../time/timers.ts';

/** The request that a call makes. */
export interface ServiceCall extends FailedCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** The path and query, below the origin, of a further page of a list. */
  page?: string | undefined;
  form?: Readonly<Record<string, string>> | undefined;
  /** The media types of its answer; JSON unless given. */
  accept?: string | undefined;
  /** Whether a second request changes nothing more; true for a GET, otherwise false unless given. */
  isIdempotent?: boolean | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds since the epoch. Limits everything: the wait for a turn, all attempts, the body. The client moves it by the
   * time that a call waits for large lists of others.
   */
  deadline?: number | undefined;
  /** Called where the call waits for large lists that others read. */
  onQueued?: (() => void) | undefined;
  /** Who waits for the answer; `person` unless given. */
  priority?: Priority | undefined;
  /** The person who caused the call. */
  personId?: string | undefined;
  /** Shared by calls whose answers must not age before a change. */
  turns?: Turns | undefined;
  /** Whether the caller finds out if a change was made whose answer was lost: then the client does not send it again by itself. */
  isLookedUp?: boolean | undefined;
  /** Called right before each request that is no GET. Where it throws, the request is not sent, and the call throws the same. */
  beforeChange?: (() => void) | undefined;
}

/**
 * How long the reads before a change, and the change itself, may still wait for their turns. A call that would wait longer
 * is not sent and throws a `QuizApiError`. The client counts down. Once a change is sent it sets `Infinity`: a change of
 * several steps is not left half done.
 */
export interface Turns {
  waitLeftMs: number;
}

/** A request that was made, for metrics and logs. */
export interface ObservedCall {
  operation: string;
  method: string;
  /** `error` without an answer. */
  status: number | 'error';
  /** The name of the error; with status 200 too, where the answer cannot be used. */
  failure: string | undefined;
  /** From sending to the end of the answer, without the wait for a turn. */
  durationMs: number;
  /** The wait for a turn. */
  waitedMs: number;
}

export interface Transport {
  call<T>(call: ServiceCall & { read: ReadAnswer<T> }, options?: CallOptions): Promise<T>;
  download(call: ServiceCall & { maxBytes: number }, options?: CallOptions): Promise<DownloadedFile>;
}

interface TransportDependencies {
  /** Without a slash at its end. */
  origin: string;
  /** The part of the path before `/v1`. */
  basePath: string;
  apiKey: string;
  userAgent: string;
  dispatcher: Dispatcher;
  budget: RequestBudget;
  timeoutMs: number;
  now: Now;
  sleep: Sleep;
  random: () => number;
  onCall: (call: ObservedCall) => void;
}

type ReadResponse<T> = (response: Dispatcher.ResponseData) => Promise<T>;

const longestRefusalBytes = 64 * 1024;

/** Sends requests when the budget permits, within their time, and again where that helps. */
export function createTransport(dependencies: TransportDependencies): Transport {
  const { budget, dispatcher, timeoutMs, now, sleep, random, onCall } = dependencies;

  async function send<T>(call: ServiceCall, options: CallOptions, read: ReadResponse<T>): Promise<T> {
    const scope = new CallScope({ signal: options.signal, deadline: options.deadline, now });
    const sending: Sending = { call, options, scope, refusals: 0, failures: 0 };
    try {
      for (;;) {
        const end = endOf(scope, call);
        if (end !== undefined) throw unsent(end, sending);
        try {
          return await attempt(sending, read);
        } catch (error) {
          await prepareRetry(error, sending);
        }
      }
    } finally {
      scope.close();
    }
  }

  async function attempt<T>(sending: Sending, read: ReadResponse<T>): Promise<T> {
    const { call, options, scope } = sending;
    const askedAt = now();
    const permit = await takePermit(sending);
    if (call.method !== 'GET') assertMayChange(options, permit);
    const startedAt = now();
    let status: number | undefined;
    let failure: unknown;
    try {
      const response = await request(call, scope, permit);
      status = response.statusCode;
      if (status < 200 || status > 299) {
        const text = await readBeginning(response.body);
        const retryAfterMs =
          readRetryAfterMs(response.headers, now()) ?? backoffMs(sending.refusals + 1, refusalBackoff, random);
        throw refusalError(call, { status, text, retryAt: new Date(now() + retryAfterMs) }, secretsOf(call));
      }
      return await read(response);
    } catch (error) {
      failure = endOf(scope, call, status) ?? failureError(call, error, status, secretsOf(call));
      throw failure;
    } finally {
      onCall({
        operation: call.operation,
        method: call.method,
        status: status ?? 'error',
        failure: failure === undefined ? undefined : failure instanceof Error ? failure.name : 'aborted',
        durationMs: now() - startedAt,
        waitedMs: startedAt - askedAt,
      });
    }
  }

  async function takePermit(sending: Sending): Promise<Permit> {
    const { call, options, scope } = sending;
    const { turns, priority, personId } = options;
    const askedAt = now();
    const latest = turns === undefined ? Infinity : askedAt + turns.waitLeftMs;
    const deadline = Math.min(options.deadline ?? Infinity, latest);
    try {
      const permit = await budget.take({ priority, personId, deadline, signal: scope.signal });
      if (now() > latest) {
        permit.cancel();
        throw new TurnTooLateError(new Date(now()));
      }
      if (turns !== undefined)
        turns.waitLeftMs = call.method === 'GET' ? Math.min(turns.waitLeftMs, latest - now()) : Infinity;
      return permit;
    } catch (error) {
      if (error instanceof TurnTooLateError) throw unsentError(call, error);
      throw (
        unsent(endOf(scope, call), sending) ??
        new QuizApiError('other', call, 'was not sent: the request budget failed', { cause: error })
      );
    }
  }

  function assertMayChange({ beforeChange }: CallOptions, permit: Permit): void {
    try {
      beforeChange?.();
    } catch (error) {
      permit.cancel();
      throw error;
    }
  }

  /** A call that ends at its deadline before its first attempt was not sent, so no answer is missing. */
  function unsent(end: unknown, { call, refusals, failures }: Sending): unknown {
    return failedFor(end, 'timed out') && refusals + failures === 0
      ? new QuizApiError('deadline passed', call, 'was not sent: its deadline had passed', {
          availableAt: new Date(now()),
        })
      : end;
  }

  async function request(call: ServiceCall, scope: CallScope, permit: Permit): Promise<Dispatcher.ResponseData> {
    const timer = scope.startTimer(timeoutMs);
    let isRefused = false;
    try {
      const response = await dispatcher.request(requestFor(call, scope));
      isRefused = response.statusCode === 429;
      return response;
    } finally {
      timer.stop();
      if (isRefused) permit.cancel();
      else permit.answered();
    }
  }

  /** Waits until the next attempt is due, or throws the error where there is none. */
  async function prepareRetry(error: unknown, sending: Sending): Promise<void> {
    const { call, options, scope } = sending;
    const { deadline = Infinity } = options;
    const isRefused = failedFor(error, 'rate limited');
    const retryAt = turnAfter(error) ?? 0;
    if (isRefused) {
      sending.refusals += 1;
      await recordRefusal(retryAt);
      if (retryAt > deadline) throw error;
    } else {
      sending.failures += 1;
    }
    if (!isWorthRetrying(error, sending)) throw error;
    if (isRefused) return;

    const waitMs = backoffMs(sending.failures, failureBackoff, random);
    if (now() + waitMs > deadline) throw error;
    try {
      await sleep(waitMs, scope.signal);
    } catch {
      throw endOf(scope, call) ?? error;
    }
  }

  async function recordRefusal(refusedUntil: number): Promise<void> {
    try {
      await budget.recordRefusal(refusedUntil - now());
    } catch {
      // A store that fails here fails the next permit too, and that call reports it.
    }
  }

  function requestFor(call: ServiceCall, scope: CallScope): Dispatcher.RequestOptions {
    const headers: Record<string, string> = {
      accept: call.accept ?? 'application/json',
      'user-agent': dependencies.userAgent,
      'x-api-key': dependencies.apiKey,
    };
    if (call.form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    return {
      origin: dependencies.origin,
      path: call.page ?? dependencies.basePath + call.path,
      method: call.method,
      headers,
      body: call.form === undefined ? null : new URLSearchParams(call.form).toString(),
      signal: scope.signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    };
  }

  function secretsOf(call: ServiceCall): string[] {
    return [dependencies.apiKey, call.form?.['password'] ?? ''];
  }

  return {
    call: async (call, options = {}) => send(call, options, async ({ body, headers }) => call.read(body, headers)),
    download: async (call, options = {}) =>
      send({ ...call, accept: '*/*' }, options, async (response) => {
        const scope = new CallScope({ signal: options.signal, deadline: options.deadline, now });
        const toError = (error: unknown): Error => {
          const end =
            endOf(scope, call, response.statusCode) ?? failureError(call, error, response.statusCode, secretsOf(call));
          return end instanceof Error ? end : new Error('aborted', { cause: end });
        };
        return openFile(response, { call, maxBytes: call.maxBytes, scope, toError });
      }),
  };
}

/** What ended the scope, if anything did: the caller's own reason, or that the time is up. */
function endOf(scope: CallScope, call: FailedCall, status?: number): unknown {
  if (!scope.signal.aborted) return undefined;
  const reason: unknown = scope.signal.reason;
  return reason instanceof TimeUpError ? new QuizApiError('timed out', call, reason.message, { status }) : reason;
}

function unsentError(call: FailedCall, error: TurnTooLateError): QuizApiError {
  const { availableAt } = error;
  const at = availableAt.toISOString();
  return error instanceof ShareSpentError
    ? new QuizApiError('share spent', call, `was not sent: the person has used up their share until ${at}`, {
        availableAt,
      })
    : new QuizApiError('budget spent', call, `was not sent: its turn comes at ${at}, after its deadline`, {
        availableAt,
      });
}

/** As much of a body as an error message needs. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= longestRefusalBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, longestRefusalBytes);
}

/** A call, and what has gone wrong with it so far. */
interface Sending {
  call: ServiceCall;
  options: CallOptions;
  scope: CallScope;
  /** Answers of 429. */
  refusals: number;
  /** Everything else. */
  failures: number;
}

const mostFailures = 3;
const mostRefusals = 10;
const failureBackoff = { firstMs: 200, longestMs: 10_000, jitter: 0.5 };
/** After a 429 that does not say when to come back. */
const refusalBackoff = { firstMs: 4000, longestMs: 60_000, jitter: 0.5 };

/**
 * Whether a call is worth another attempt. A 429 always is, since the service did nothing. A lost
 * connection or a 5xx is for an idempotent call only, and not where the caller finds out what came of it.
 */
function isWorthRetrying(error: unknown, { call, options, refusals, failures }: Sending): boolean {
  if (failedFor(error, 'rate limited')) return refusals < mostRefusals;
  const isRead = call.method === 'GET';
  if (options.isLookedUp && !isRead && !neverConnected(error)) return false;
  return failedWith(error, 'passesSoon') && (call.isIdempotent ?? isRead) && failures < mostFailures;
}
