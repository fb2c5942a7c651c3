import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from '../account.ts';
import {
  badRequest,
  BodyTooLargeError,
  createRouter,
  HttpError,
  notFound,
  type Peer,
  readBody,
  type Reply,
  writeReply,
} from '../http.ts';
import type { ApiCall, Face } from '../face.ts';
import type { Answer } from './answer.ts';
import type { ApiKey, RateLimit } from './api-key.ts';
import { parseForm } from './operation.ts';
import { groupOperations, userOperations } from './users.ts';
import { quizOperations, responseOperations } from './quizzes.ts';

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
