import { createHmac } from 'node:crypto';
import { type Database, formatDate, readRow } from '../database.ts';
import { jsonText } from '../http.ts';
import type { Response } from '../store/responses.ts';

/** The events that webhooks can capture. The specification defines no others (section 6). */
const eventTypes = ['response.submitted'] as const;

type EventType = (typeof eventTypes)[number];

export interface Webhook {
  webhook_id: string;
  url: string;
  secret: string | null;
  scheme: SignatureScheme;
  events: EventType[];
  date_created: string;
}

export interface WebhookSettings {
  url: string;
  secret?: string | undefined;
  scheme?: SignatureScheme | undefined;
}

interface ServiceEvent {
  event_id: string;
  event_type: string;
  occurredMs: number;
  data: unknown;
}

/** How many finished deliveries the log keeps. */
const keptDeliveries = 1000;
const columns = 'webhook_id, url, secret, scheme, events, date_created';

export function listWebhooks(database: Database): Webhook[] {
  return database.all<object>(`SELECT ${columns} FROM webhooks ORDER BY seq`).map(toWebhook);
}

export function findWebhook(database: Database, webhookId: string): Webhook | undefined {
  const row = database.get<object>(`SELECT ${columns} FROM webhooks WHERE webhook_id = ?`, [webhookId]);
  return row && toWebhook(row);
}

/** Adds a webhook beside those that there are. */
export const addWebhook = (database: Database, webhook: Webhook): void => database.insert('webhooks', { ...webhook });

/** Creates, updates or removes the webhook. Pending deliveries go to the new URL with the new secret. */
export function configureWebhook(
  database: Database,
  settings: WebhookSettings | undefined,
  newId: () => string,
  nowMs: number,
): void {
  const secret = settings?.secret || null;
  const scheme = settings?.scheme ?? 'body';
  database.transaction(() => {
    if (!settings) return void database.run('DELETE FROM webhooks');
    if (database.run('UPDATE webhooks SET url = ?, secret = ?, scheme = ?', [settings.url, secret, scheme]) > 0) return;
    const webhook = { url: settings.url, secret, scheme, events: [...eventTypes] };
    addWebhook(database, { ...webhook, webhook_id: newId(), date_created: formatDate(nowMs) });
  });
}

/**
 * Adds a delivery for each of the webhooks. Call it in the same transaction as the event.
 * @param webhooks by default those that capture the event
 */
export function addDeliveries(
  database: Database,
  event: ServiceEvent,
  webhooks: readonly Webhook[] = listWebhooks(database).filter(({ events }) =>
    events.some((type) => type === event.event_type),
  ),
): void {
  for (const webhook of webhooks) {
    database.insert('deliveries', {
      webhook_id: webhook.webhook_id,
      event_id: event.event_id,
      event_type: event.event_type,
      event_date: formatDate(event.occurredMs),
      event_data: JSON.stringify(event.data),
      next_attempt_ms: event.occurredMs,
    });
  }
  database.run(`DELETE FROM deliveries WHERE state <> 'pending' AND seq <= (SELECT max(seq) FROM deliveries) - ?`, [
    keptDeliveries,
  ]);
}

function toWebhook(row: object): Webhook {
  return readRow(row, { json: ['events'] });
}

/** The data of `response.submitted`: the response without its access code. */
export function submittedData(response: Response): Omit<Response, 'access_code'> {
  const { access_code: _, ...data } = response;
  return data;
}

export interface Delivery {
  event_id: string;
  event_type: string;
  event_date: string;
  /** JSON. */
  event_data: string;
  /** 1 for the first delivery. */
  attempt: number;
}

/** Builds the body of a delivery. */
export function webhookBody({ event_id, event_type, event_date, event_data, attempt }: Delivery): string {
  return jsonText({
    event_id,
    event_type,
    delivery_attempt: attempt,
    event_date,
    data: JSON.parse(event_data) as unknown,
  });
}

export const signatureSchemes = ['body', 'timestamp-body', 'standard', 'timestamp-secret'] as const;

export type SignatureScheme = (typeof signatureSchemes)[number];

interface SignedCall {
  scheme: SignatureScheme;
  /** Null: the call is not signed. */
  secret: string | null;
  eventId: string;
  body: string;
  /** Whole seconds since 1970, or what the rough account sends instead. */
  timestamp: number | string;
}

type Headers = Record<string, string>;

/** Builds the headers with which a receiver verifies a call. */
export function signatureHeaders({ scheme, secret, eventId, body, timestamp }: SignedCall): Headers {
  const { unsigned, signed } = schemes[scheme];
  const call = { eventId, body, time: String(timestamp) };
  return { ...unsigned(call), ...(secret === null ? {} : signed(call, secret)) };
}

interface Scheme {
  /** Headers for calls with and without a secret. */
  unsigned: (call: { eventId: string; time: string }) => Headers;
  signed: (call: { eventId: string; time: string; body: string }, secret: string) => Headers;
}

const schemes: Record<SignatureScheme, Scheme> = {
  body: {
    unsigned: () => ({}),
    signed: ({ body }, secret) => ({ 'x-webhook-signature': hmac(secret, body, 'hex') }),
  },
  'timestamp-body': {
    unsigned: ({ time }) => ({ 'x-webhook-timestamp': time }),
    signed: ({ time, body }, secret) => ({ 'x-webhook-signature': hmac(secret, `${time}.${body}`, 'hex') }),
  },
  'timestamp-secret': {
    unsigned: ({ time }) => ({ 'x-webhook-timestamp': time }),
    signed: ({ time }, secret) => ({ 'x-webhook-signature': hmac(secret, `${time} ${secret}`, 'hex') }),
  },
  standard: {
    unsigned: ({ eventId, time }) => ({ 'webhook-id': eventId, 'webhook-timestamp': time }),
    signed: ({ eventId, time, body }, secret) => ({
      'webhook-signature': `v1,${hmac(standardKey(secret), `${eventId}.${time}.${body}`, 'base64')}`,
    }),
  },
};

function hmac(key: string | Buffer, input: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(input).digest(encoding);
}

/** Standard Webhooks prefixes base64 keys with `whsec_`. Other secrets are used as bytes. */
function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
