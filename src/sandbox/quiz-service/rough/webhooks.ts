import { createHash } from 'node:crypto';
import type { SignatureScheme } from '../webhooks/webhooks.ts';
import { type Fields, isFields, type SeenWebhook, type WebhookOddity } from './changes.ts';

type Headers = Record<string, string>;

interface SignatureForm extends WebhookOddity {
  scheme: SignatureScheme;
  /** @param headers those of the smooth face */
  headers: (headers: Headers, secret: string) => Headers;
}

const signature = 'x-webhook-signature';
const timestamp = 'x-webhook-timestamp';

export const signatureForms: SignatureForm[] = [
  {
    name: 'signature-plain-sha256',
    where: 'Signature of `timestamp-secret`',
    what: 'SHA-256 instead of HMAC-SHA256',
    source: 'help',
    scheme: 'timestamp-secret',
    headers: (headers, secret) => ({ ...headers, [signature]: sha256(`${headers[timestamp]} ${secret}`) }),
    shows: ({ headers, secret }) => headers[signature] === sha256(`${String(headers[timestamp])} ${secret}`),
  },
  {
    name: 'signature-base64',
    where: 'Signature of `body`',
    what: 'base64 instead of hex',
    source: 'help',
    scheme: 'body',
    headers: (headers) => ({
      ...headers,
      [signature]: Buffer.from(headers[signature] ?? '', 'hex').toString('base64'),
    }),
    shows: ({ headers }) => /^[A-Za-z0-9+/]{43}=$/.test(String(headers[signature])),
  },
  {
    name: 'signature-prefix',
    where: 'Signature of `body`',
    what: '`sha256=` before the hex',
    source: 'help',
    scheme: 'body',
    headers: (headers) => ({ ...headers, [signature]: `sha256=${headers[signature]}` }),
    shows: ({ headers }) => String(headers[signature]).startsWith('sha256='),
  },
  {
    name: 'signature-one-header',
    where: 'Signature of `timestamp-body`',
    what: 'timestamp and signature in one header, `t=…,v1=…`',
    source: 'help',
    scheme: 'timestamp-body',
    headers: ({ [signature]: signed, [timestamp]: time, ...headers }) => ({
      ...headers,
      [signature]: `t=${time},v1=${signed}`,
    }),
    shows: ({ headers }) => /^t=[^,]+,v1=/.test(String(headers[signature])),
  },
  {
    name: 'signature-list',
    where: 'Signature of `standard`',
    what: 'a list that starts with the signature of another secret',
    source: 'help',
    scheme: 'standard',
    headers: (headers) => ({
      ...headers,
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`,
    }),
    shows: ({ headers }) => String(headers['webhook-signature']).split(' ').length === 2,
  },
];

interface TimestampForm extends WebhookOddity {
  write: (nowMs: number) => string;
}

/** The smooth face sends whole seconds. */
export const timestampForms: TimestampForm[] = [
  {
    name: 'timestamp-milliseconds',
    where: 'Timestamp of a webhook',
    what: 'milliseconds',
    source: 'help',
    write: String,
    shows: ({ headers }) => /^\d{13}$/.test(timestampIn(headers)),
  },
  {
    name: 'timestamp-iso',
    where: 'Timestamp of a webhook',
    what: 'ISO text',
    source: 'help',
    write: (nowMs) => new Date(nowMs).toISOString(),
    shows: ({ headers }) => /^\d{4}-.*Z$/.test(timestampIn(headers)),
  },
];

interface BodyForm extends WebhookOddity {
  write: (event: Fields) => string;
}

const bodyForm = (
  name: string,
  field: string,
  what: string,
  change: (value: unknown) => unknown,
  shows: (value: unknown) => boolean,
): BodyForm => ({
  name: `webhook-${name}`,
  where: `\`${field}\``,
  what,
  source: 'seen',
  write: (event) => JSON.stringify({ ...event, [field]: change(event[field]) }),
  shows: (webhook) => shows(eventIn(webhook)[field]),
});

const isMissing = (value: unknown): boolean => value === undefined;
const withT = (date: unknown): string => String(date).replace(' ', 'T');

export const bodyForms: BodyForm[] = [
  {
    name: 'webhook-byte-order-mark',
    where: 'Body of a webhook',
    what: 'a byte order mark before the JSON',
    source: 'seen',
    write: (event) => `\ufeff${JSON.stringify(event)}`,
    shows: ({ text }) => text.startsWith('\ufeff'),
  },
  bodyForm('event-id-missing', 'event_id', 'missing', () => undefined, isMissing),
  bodyForm('event-id-number', 'event_id', 'a number', numberOf, (id) => typeof id === 'number'),
  bodyForm(
    'event-date-null',
    'event_date',
    '`null`',
    () => null,
    (date) => date === null,
  ),
  bodyForm('event-date-iso', 'event_date', 'ISO with `T`', withT, (date) => /^\d{4}-\d\d-\d\dT/.test(String(date))),
  bodyForm('attempt-text', 'delivery_attempt', 'a text', String, (attempt) => typeof attempt === 'string'),
  bodyForm('attempt-missing', 'delivery_attempt', 'missing', () => undefined, isMissing),
];

interface OtherEvent extends WebhookOddity {
  eventType: string;
  /** The call that leads to the event, and the parameter or field that names the record. */
  after: { method: string; route: string; idField: string };
}

const otherEvent = (eventType: string, method: string, route: string, idField: string): OtherEvent => ({
  name: `event-${eventType.replace('.', '-')}`,
  where: '`event_type`',
  what: `\`${eventType}\``,
  source: 'seen',
  eventType,
  after: { method, route: `/api/v1${route}`, idField },
  shows: (webhook) => eventIn(webhook)['event_type'] === eventType,
});

/** Sent to every webhook. */
export const otherEvents: OtherEvent[] = [
  otherEvent('response.deleted', 'DELETE', '/quizzes/:quiz_id/responses/:response_id', 'response_id'),
  otherEvent('user.created', 'POST', '/users', 'user_id'),
  otherEvent('user.updated', 'POST', '/users/:user_id', 'user_id'),
  otherEvent('user.deleted', 'DELETE', '/users/:user_id', 'user_id'),
];

/** The same for every delivery of an event. */
function numberOf(eventId: unknown): number {
  return Number.parseInt(sha256(String(eventId)).slice(0, 10), 16);
}

function eventIn({ text }: SeenWebhook): Fields {
  const event: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  return isFields(event) ? event : {};
}

function timestampIn(headers: SeenWebhook['headers']): string {
  const inSignature = /^t=([^,]+),/.exec(String(headers[signature]))?.[1];
  return inSignature ?? String(headers[timestamp] ?? headers['webhook-timestamp']);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
