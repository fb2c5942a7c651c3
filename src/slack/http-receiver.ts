import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReceiverMultipleAckError, verifySlackRequest, type AckFn, type App, type Logger, type Receiver, type ReceiverEvent } from '@slack/bolt';
import { InvigilatorError } from '../domain/errors.ts';
import { refuseBody, type ReadBody } from '../http/read-body.ts';

/** How far a signed timestamp may lie in the future. Bolt applies the same limit to the past. */
const toleranceS = 5 * 60;

export const tooMuch = 'A request of Slack was refused: too much is being worked on';

/** A signed body that is not valid JSON or not an object. */
class MalformedBodyError extends InvigilatorError {
  readonly code = 'malformed_body';
}

/** Receives Slack's requests over HTTP. Except for Slack's certificate check, it answers 200 only to signed requests. */
export interface HttpReceiver extends Receiver {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * Replaces Bolt's receiver, which has no limit over all connections, takes no clock, accepts timestamps from the
 * future, and never answers a signed `null`.
 *
 * @param options.isFull whether the bot is at its limit and refuses new requests
 */
export function createHttpReceiver(options: {
  signingSecret: string;
  readBody: ReadBody;
  isFull: () => boolean;
  logger: Logger;
  now: () => number;
}): HttpReceiver {
  const { signingSecret, logger } = options;
  let app: App | undefined;

  async function take(request: IncomingMessage, response: ServerResponse, raw: Buffer): Promise<void> {
    const text = raw.toString('utf8');
    const isForm = request.headers['content-type']?.split(';', 1)[0]?.trim() === 'application/x-www-form-urlencoded';
    // Slack does not sign it: https://docs.slack.dev/interactivity/implementing-slash-commands/#responding_basic_receipt
    if (isForm && new URLSearchParams(text).get('ssl_check') === '1') return answer(response, 200);
    const refusal = refusalOf(request, text);
    if (refusal !== undefined) {
      logger.warn(`A request was refused that says it is from Slack: ${refusal}`);
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
    await process(request, response, body);
  }

  async function process(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): Promise<void> {
    let isAcknowledged = false;
    const ack: AckFn<unknown> = async (content) => {
      if (isAcknowledged) throw new ReceiverMultipleAckError();
      isAcknowledged = true;
      answer(response, 200, content);
    };
    const event: ReceiverEvent = { body, ack, ...retryOf(request) };
    try {
      await app?.processEvent(event);
      if (!isAcknowledged) answer(response, 404);
    } catch (error) {
      // The app's error handler has already handled errors of listeners. This body is one that Bolt cannot process.
      logger.error(`A request of Slack could not be read: ${error instanceof Error ? error.message : String(error)}`);
      answer(response, 400);
    }
  }

  /** The reason to refuse the request, without any of its content; undefined if it is genuine. */
  function refusalOf(request: IncomingMessage, body: string): string | undefined {
    const signature = headerOf(request, 'x-slack-signature');
    const timestamp = headerOf(request, 'x-slack-request-timestamp');
    if (signature === undefined || timestamp === undefined) return 'it is not signed';
    const nowMs = options.now();
    const timestampS = Number(timestamp);
    const awayS = Math.abs(nowMs / 1000 - timestampS);
    if (!(awayS <= toleranceS)) return 'its timestamp is more than 5 minutes away from the clock of this machine; is the clock right?';
    try {
      const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestampS };
      verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: nowMs });
      return undefined;
    } catch {
      return 'the signature does not match';
    }
  }

  return {
    init(initialized) {
      app = initialized;
    },
    start: async () => {},
    stop: async () => {},
    async handle(request, response) {
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
      const body = await options.readBody(request, response);
      if (body === 'cut off') return;
      if (body === 'too large') return refuseBody(request, response, 413);
      if (body === 'no room') return refuseBody(request, response, 503);
      await take(request, response, body);
    },
  };
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

/** The number of earlier attempts to deliver an event, and the reason for the retry. */
function retryOf(request: IncomingMessage): Pick<ReceiverEvent, 'retryNum' | 'retryReason'> {
  const retryNum = headerOf(request, 'x-slack-retry-num');
  const retryReason = headerOf(request, 'x-slack-retry-reason');
  return { ...(retryNum !== undefined && { retryNum: Number.parseInt(retryNum, 10) }), ...(retryReason !== undefined && { retryReason }) };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Sends an acknowledgement: nothing, a text, or an object. */
function answer(response: ServerResponse, status: number, content?: unknown): void {
  // The client may have closed the connection.
  if (response.headersSent) return;
  if (content === undefined || content === '') response.writeHead(status).end();
  else if (typeof content === 'string') response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(content);
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}
