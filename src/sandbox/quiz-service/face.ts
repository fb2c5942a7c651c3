import type { IncomingMessage } from 'node:http';
import { type HttpError, jsonText } from './http.ts';
import { jsonReply, type Reply, type ReplyBody } from '../http.ts';
import { type Delivery, signatureHeaders, type Webhook, webhookBody } from './webhooks/webhooks.ts';

/** The result of an operation. */
export type Answer =
  | { kind: 'json'; value: unknown }
  /** A list in pages, so that a long list is never in memory as a whole. */
  | { kind: 'list'; pages: Iterable<readonly unknown[]> }
  | { kind: 'file'; name: string; contentType: string; content: Uint8Array };

/** The response of operations that return no resource (specification, section 2.6). */
export const okMessage: Answer = { kind: 'json', value: { message: '200: OK' } };

export function json(value: unknown): Answer {
  return { kind: 'json', value };
}

export function list(pages: Iterable<readonly unknown[]>): Answer {
  return { kind: 'list', pages };
}

/** Builds the response with status 200 that the specification describes. */
function answerReply(answer: Answer): Reply {
  if (answer.kind === 'json') return jsonReply(200, jsonText(answer.value));
  if (answer.kind === 'list') return jsonReply(200, listText(answer.pages));
  const headers = {
    'content-type': answer.contentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeHeaderValue(answer.name)}`,
  };
  return { status: 200, headers, body: answer.content };
}

/**
 * Serializes a list as a JSON array, with the texts `before` and `after` around it. Reads the first two pages at once,
 * while an error can still become an error response.
 */
export function listText(pages: Iterable<readonly unknown[]>, before = '', after = ''): ReplyBody {
  const chunks = jsonArray(pages);
  const [first, second] = [chunks.next().value ?? '', chunks.next().value ?? ''];
  const beginning = before + first + second;
  const isWhole = second === '' || second === ']';
  return isWhole ? beginning + after : { beginning, rest: withEnd(chunks, after) };
}

function* jsonArray(pages: Iterable<readonly unknown[]>): Generator<string, undefined> {
  let separator = '[';
  for (const page of pages) {
    if (page.length === 0) continue;
    yield separator + pageText(page).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

function* withEnd(chunks: Iterable<string>, end: string): Generator<string> {
  yield* chunks;
  if (end !== '') yield end;
}

/** Users have no such field in lists, and there may be 100,000 of them. */
function pageText(page: readonly unknown[]): string {
  const [first] = page;
  const hasPoints = typeof first === 'object' && first !== null && 'available_points' in first;
  return hasPoints ? jsonText(page) : JSON.stringify(page);
}

/** Escapes what encodeURIComponent keeps but RFC 8187 forbids in an extended header value. */
function encodeHeaderValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** A call of the REST interface, as far as it was understood. */
export interface ApiCall {
  method: string;
  /** Where the caller sees the service, such as `http://127.0.0.1:4010`. */
  origin: string;
  path: string;
  query: URLSearchParams;
  /** The path of the operation, such as `/api/v1/users/:user_id`. Undefined when a check before it failed. */
  route?: string;
  parameters?: Record<string, string>;
  /** The body as it came. */
  form?: string;
}

export interface WebhookCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * The outer edge of the service: turns results into responses and events into webhook calls. The operations below it
 * know nothing of the form in which their results leave.
 */
export interface Face {
  /** Answers a request instead of the service, as a firewall does. */
  intercept: (request: IncomingMessage, pathname: string) => Reply | undefined;
  answer: (call: ApiCall, answer: Answer) => Reply;
  refuse: (call: ApiCall, error: HttpError) => Reply;
  /** Runs after a successful call. */
  afterCall: (call: ApiCall, answer: Answer) => void;
  webhookCall: (webhook: Webhook, delivery: Delivery, nowMs: number) => WebhookCall;
}

/** Sends exactly what the specification promises, and the decisions in the README where it is silent. */
export const smoothFace: Face = {
  intercept: () => undefined,
  answer: (_, answer) => answerReply(answer),
  refuse: (_, { status, message, headers }) => jsonReply(status, JSON.stringify({ message }), headers),
  afterCall: () => {},
  webhookCall({ url, scheme, secret }, delivery, nowMs) {
    const body = webhookBody(delivery);
    const timestamp = Math.floor(nowMs / 1000);
    return { url, body, headers: signatureHeaders({ scheme, secret, eventId: delivery.event_id, body, timestamp }) };
  },
};
