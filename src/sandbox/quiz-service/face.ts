import type { IncomingMessage } from 'node:http';
import { type Answer, answerReply } from './api/answer.ts';
import { type HttpError, jsonReply, type Reply } from './http.ts';
import { type Delivery, signatureHeaders, type Webhook, webhookBody } from './webhooks/webhooks.ts';

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
