import type { IncomingMessage, ServerResponse } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';
import type { Logger } from '@slack/web-api';
import { InvigilatorError } from '../../domain/errors.ts';
import { announcedBytes, refuseBody, type ReadBody } from '../../http/bodies.ts';
import type { Deliver } from './deliver.ts';

export const tooMuch = 'A request of Slack was refused: too much is being worked on';

/** Slack's certificate check is a short form. */
const certificateCheckAtMostBytes = 1024;

/** Why a request is refused: by its signature, or for its body. */
export type SlackRefusal = SignatureRefusal | 'too_large' | 'no_room';

/** A signed body that is not valid JSON or not an object. */
class MalformedBodyError extends InvigilatorError {
  readonly code = 'malformed_body';
}

/**
 * Receives Slack's requests over HTTP. Except for Slack's certificate check, it answers 200 only to signed requests. Bolt's
 * receiver has no limit over all connections, takes no clock, accepts timestamps from the future, and never answers a signed
 * `null`.
 *
 * @param options.isFull whether the bot is at its limit and refuses new requests
 * @param options.onRefused called for every request that is refused without being processed
 */
export function createHttpReceiver(options: {
  signingSecret: string;
  readBody: ReadBody;
  isFull: () => boolean;
  onRefused: (why: SlackRefusal) => void;
  deliver: Deliver;
  logger: Logger;
  now: () => number;
}) {
  const { logger } = options;
  const signature = createSignatureCheck(options);

  async function take(request: IncomingMessage, response: ServerResponse, raw: Buffer): Promise<void> {
    const text = raw.toString('utf8');
    const isForm = isFormRequest(request);
    // Slack does not sign it: https://docs.slack.dev/interactivity/implementing-slash-commands/#responding_basic_receipt
    if (isForm && new URLSearchParams(text).get('ssl_check') === '1') return answer(response, 200);
    const refusal = signature.refusalByHead(request) ?? signature.refusalByBody(request, text);
    if (refusal !== undefined) {
      options.onRefused(refusal);
      return answer(response, 401);
    }
    let body: Record<string, unknown>;
    try {
      body = parseBody(text, isForm);
    } catch (error) {
      if (!(error instanceof MalformedBodyError)) throw error;
      logger.warn(`A request of Slack is malformed: ${error.message}`);
      return answer(response, 400);
    }
    if (body['type'] === 'url_verification') return answer(response, 200, { challenge: body['challenge'] });
    if (options.isFull()) {
      logger.warn(tooMuch);
      return answer(response, 503);
    }
    await process(response, body);
  }

  async function process(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
    try {
      await options.deliver({ body, ack: (content) => answer(response, 200, content) });
      // What nobody takes.
      answer(response, 404);
    } catch (error) {
      logger.error(
        `A request of Slack could not be dealt with: ${error instanceof Error ? error.message : String(error)}`,
      );
      answer(response, 400);
    }
  }

  /** Refuses a request whose body is not wanted, and answers before the body is there. */
  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    why: SlackRefusal,
  ): Promise<void> {
    options.onRefused(why);
    return refuseBody(request, response, status);
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
      const refusal = signature.refusalByHead(request);
      if (refusal !== undefined && !mayBeCertificateCheck(request)) return refuse(request, response, 401, refusal);
      const body = await options.readBody(request, response);
      if (body === 'cut off') return;
      if (body === 'too large') return refuse(request, response, 413, 'too_large');
      if (body === 'no room') return refuse(request, response, 503, 'no_room');
      await take(request, response, body);
    },
  };
}

function isFormRequest({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim() === 'application/x-www-form-urlencoded';
}

/** Whether the body has to be read to find out. */
function mayBeCertificateCheck(request: IncomingMessage): boolean {
  const bytes = announcedBytes(request);
  return isFormRequest(request) && bytes > 0 && bytes <= certificateCheckAtMostBytes;
}

/** Reads JSON, or a form that holds a command or has JSON in `payload`. @throws {MalformedBodyError} */
function parseBody(text: string, isForm: boolean): Record<string, unknown> {
  const form = isForm ? new URLSearchParams(text) : undefined;
  const json = form ? form.get('payload') : text;
  if (form && json === null) return Object.fromEntries(form);
  const body = parseJson(json ?? '');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new MalformedBodyError('it is no object');
  return body as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedBodyError('it is no JSON');
  }
}

/** Sends an acknowledgement: nothing, a text, or an object. The first answer counts. */
function answer(response: ServerResponse, status: number, content?: unknown): void {
  // The client may have closed the connection.
  if (response.headersSent) return;
  if (content === undefined || content === '') response.writeHead(status).end();
  else if (typeof content === 'string')
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(content);
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}

/** How far a signed timestamp may lie in the future. Bolt applies the same limit to the past. */
const toleranceS = 5 * 60;

/** Signature headers are missing, the timestamp is more than 5 minutes away, or the signature is another one. */
type SignatureRefusal = 'unsigned' | 'timestamp' | 'signature';

/** Whether Slack signed a request: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function createSignatureCheck({ signingSecret, now }: { signingSecret: string; now: () => number }) {
  return {
    /** What the headers alone tell; undefined if the body has to decide. */
    refusalByHead(request: IncomingMessage): SignatureRefusal | undefined {
      const timestamp = headerOf(request, 'x-slack-request-timestamp');
      const given = headerOf(request, 'x-slack-signature');
      if (given === undefined || timestamp === undefined) return 'unsigned';
      if (!/^v0=[0-9a-f]{64}$/.test(given)) return 'signature';
      const awayS = Math.abs(now() / 1000 - Number(timestamp));
      return awayS <= toleranceS ? undefined : 'timestamp';
    },
    /** Compares in constant time. Call it for a request that `refusalByHead` lets through. */
    refusalByBody(request: IncomingMessage, body: string): SignatureRefusal | undefined {
      const headers = {
        'x-slack-signature': headerOf(request, 'x-slack-signature') ?? '',
        'x-slack-request-timestamp': Number(headerOf(request, 'x-slack-request-timestamp')),
      };
      try {
        verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: now() });
        return undefined;
      } catch {
        return 'signature';
      }
    },
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
