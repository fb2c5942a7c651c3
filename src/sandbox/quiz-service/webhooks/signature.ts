import { createHmac } from 'node:crypto';

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
