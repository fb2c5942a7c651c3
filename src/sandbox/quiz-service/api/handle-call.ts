import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Account, readApiKey, writeApiKey } from '../account.ts';
import { badRequest, createRouter, HttpError, notFound, type Peer } from '../http.ts';
import { BodyTooLargeError, isSameSecret, readBody, type Reply, writeReply } from '../../http.ts';
import type { Answer, ApiCall, Face } from '../face.ts';
import { parseForm } from './operation.ts';
import { groupOperations, userOperations } from './users.ts';
import { quizOperations, responseOperations } from './quizzes.ts';
import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';

const bodyLimitBytes = 1024 * 1024;

export const operations = [...quizOperations, ...responseOperations, ...userOperations, ...groupOperations];

interface ApiOptions {
  account: Account;
  apiKey: ApiKey;
  rateLimit: RateLimit;
  face: Face;
  /** Delays every response. Tests use it to add latency. */
  delay: () => Promise<void>;
  reportError: (error: unknown) => string;
}

type HandleCall = (request: IncomingMessage, response: ServerResponse, pathname: string, peer: Peer) => Promise<void>;

/** Handles calls under `/api`. Checks TLS, key and rate, and runs the operation. */
export function createCallHandler(options: ApiOptions): HandleCall {
  const { account, apiKey, rateLimit, face, delay, reportError } = options;
  const findOperation = createRouter(operations);

  return async function handleCall(request, response, pathname, peer) {
    const hasKey = apiKey.isValid(request.headers['x-api-key']?.toString());
    const call = readCall(request, pathname, peer);
    const reply = await answerCall(request, call, peer, hasKey)
      .then((answer) => replyWith(call, answer))
      .catch((error: unknown) => face.refuse(call, toHttpError(error)));
    await delay();
    await writeReply(response, reply);
  };

  /** Fills in the rest of `call`. */
  async function answerCall(request: IncomingMessage, call: ApiCall, peer: Peer, hasKey: boolean): Promise<Answer> {
    if (!peer.isSecure) throw new HttpError(403, '403.4: SSL required. Call the service over HTTPS.');
    if (!hasKey) throw new HttpError(403, 'The header X-API-KEY must hold a valid API key.');
    const waitMs = rateLimit.take();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new HttpError(429, `Exceeded request rate limit: try again in ${seconds} s.`, {
        'retry-after': `${seconds}`,
      });
    }
    const match = findOperation(call.method, call.path);
    if (match.found) {
      const { path: route, parameters } = match;
      const body = await readBody(request, bodyLimitBytes);
      const form = parseForm(body, request.headers['content-type']);
      Object.assign(call, { route, parameters, form: body.toString('utf8') });
      return match.run({ parameters, form, account });
    }
    if (match.allowedMethods.length === 0) throw notFound('There is no such path.');
    const allow = match.allowedMethods.join(', ');
    throw new HttpError(405, `${call.method} is not allowed here, only ${allow}.`, { allow });
  }

  function replyWith(call: ApiCall, answer: Answer): Reply {
    face.afterCall(call, answer);
    return face.answer(call, answer);
  }

  function toHttpError(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    if (error instanceof URIError) return badRequest('The path is not well encoded.');
    if (error instanceof BodyTooLargeError) return new HttpError(400, error.message, { connection: 'close' });
    return new HttpError(500, `Internal server error, reference ${reportError(error)}.`);
  }
}

function readCall(request: IncomingMessage, path: string, { isOverTls }: Peer): ApiCall {
  return {
    method: request.method ?? '',
    origin: `${isOverTls ? 'https' : 'http'}://${request.headers.host}`,
    path,
    query: new URLSearchParams((request.url ?? '').split('?')[1]),
  };
}

/** The account's only API key (specification, section 5). */
export type ApiKey = ReturnType<typeof openApiKey>;

/** Every change of the key clears the rate limit, because the limits apply per key (section 8). */
export function openApiKey(database: Database, rateLimit: RateLimit) {
  let key = readApiKey(database);

  function set(newKey: string): void {
    writeApiKey(database, newKey);
    key = newKey;
    rateLimit.clear();
  }

  return {
    /** @returns undefined when the account has no key */
    current: () => key,
    isValid: (candidate: string | undefined): boolean =>
      key !== undefined && candidate !== undefined && isSameSecret(candidate, key),
    set,
    /** Replaces the key with a new one. */
    roll: () => set(randomBytes(24).toString('base64url')),
  };
}

interface RateWindow {
  limit: number;
  windowMs: number;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** A rate limit over sliding windows. A call counts for exactly `windowMs`. A refused call never counts. */
export function createRateLimit(windows: readonly RateWindow[], now: () => number) {
  const longestMs = Math.max(...windows.map((window) => window.windowMs));
  let taken: number[] = [];
  let first = 0;

  return {
    /** Counts a call, unless a window is full. @returns 0, or the ms until every window has room */
    take(): number {
      const time = now();
      while (first < taken.length && time - (taken[first] ?? 0) >= longestMs) first += 1;
      if (first > 1024) {
        taken = taken.slice(first);
        first = 0;
      }
      const waitMs = Math.max(0, ...windows.map(({ limit, windowMs }) => waitFor(limit, windowMs, time)));
      if (waitMs === 0) taken.push(time);
      return waitMs;
    },
    clear(): void {
      taken = [];
      first = 0;
    },
  };

  /** A window is full while the `limit`-th call from the end is inside it. */
  function waitFor(limit: number, windowMs: number, time: number): number {
    if (limit <= 0) return windowMs;
    const index = taken.length - limit;
    return index < first ? 0 : Math.max(0, (taken[index] ?? 0) + windowMs - time);
  }
}
