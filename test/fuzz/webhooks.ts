import { createHash, createHmac } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import { Pool } from 'undici';
import { webhookSecret as secret } from '../support/event.ts';
import { startFuzzedBot } from './fuzzed-bot.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';
import { webhookSamples } from './samples.ts';

export const schemes = ['body', 'timestamp-body', 'standard', 'timestamp-secret'] as const;
type Scheme = (typeof schemes)[number];

const key = (text: string) => Buffer.from(text);
const hmac = (text: string, from = secret) => createHmac('sha256', key(from)).update(text).digest();

/** The headers of a webhook signed with the scheme. */
function signedHeaders(scheme: Scheme, body: string, timestamp: string, from = secret): Record<string, string> {
  switch (scheme) {
    case 'body':
      return { 'x-webhook-signature': hmac(body, from).toString('hex') };
    case 'timestamp-body':
      return {
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': hmac(`${timestamp}.${body}`, from).toString('base64'),
      };
    case 'standard':
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${hmac(`msg_1.${timestamp}.${body}`, from).toString('base64')}`,
      };
    case 'timestamp-secret':
      return {
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': createHash('sha256').update(`${timestamp} ${from}`).digest('hex'),
      };
  }
}

const signing = fc.oneof(
  { weight: 5, arbitrary: fc.constant('valid' as const) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'nothing',
      'another secret',
      'another body',
      'cut off',
      'noise',
      'empty',
      'long',
      'too old',
      'too early',
      'no time',
    ),
  },
);

const noise = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF+/=,v1t sha256='.split('')), maxLength: 90 });

/** Additional headers, as proxies and attackers send them. */
const moreHeaders = fc.dictionary(
  fc.constantFrom(
    'content-encoding',
    'content-type',
    'x-forwarded-for',
    'x-http-method-override',
    'webhook-id',
    'x-slack-signature',
    'cookie',
    'range',
    'accept-encoding',
    'x-original-url',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  { maxKeys: 3 },
);

/** The forms of timestamps that the bot reads. */
const timestampForms: readonly ((ms: number) => string)[] = [
  (ms) => String(Math.floor(ms / 1000)),
  String,
  (ms) => new Date(ms).toISOString(),
  (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
];

/** An answer never repeats what was sent. */
const longestAnswer = 100;

interface Delivery {
  body: string;
  way: string;
  noise: string;
  more: Record<string, string>;
  method: 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  isRaw: boolean;
}

/** Sends mutated webhooks of one scheme: most over kept-alive connections, some over raw connections with a broken header. */
export async function fuzzWebhooks(scheme: Scheme, options: FuzzOptions): Promise<FuzzRow> {
  const samples = await webhookSamples();
  // The scheme is one of several: none of the others may accept what it refuses.
  const bot = await startFuzzedBot({
    WEBHOOK_SCHEME: [scheme, ...schemes.filter((other) => other !== scheme)].join(','),
  });
  const pool = new Pool(bot.url, { connections: 32, headersTimeout: 10_000, bodyTimeout: 10_000 });
  let number = 0;

  const bodies = mutatedText(mutatedValue(samples).map((value) => JSON.stringify(value) ?? ''));
  const deliveries = fc.record<Delivery>({
    body: bodies,
    way: signing,
    noise,
    more: moreHeaders,
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant('POST' as const) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD') },
    ),
    isRaw: fc.oneof({ weight: 60, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });

  async function tryValue(delivery: Delivery): Promise<string> {
    if (delivery.isRaw) return tryRaw(delivery);
    const { method, way, more } = delivery;
    // Half of the webhooks get a new event id, because the bot stops at a known one.
    number += 1;
    const body = delivery.body.replace(/"event_id":"[^"]{36}"/, (id) =>
      number % 2 === 0 ? id : `"event_id":"fuzz-${number}"`,
    );
    const headers = {
      ...more,
      ...headersFor({ ...delivery, body }, Date.now(), timestampForms[number % timestampForms.length]!),
    };
    const { statusCode, body: answer } = await pool.request({
      method,
      path: '/webhooks/quiz',
      headers,
      body: method === 'GET' || method === 'HEAD' ? null : body,
    });
    const text = await answer.text();
    if (text.length > longestAnswer) throw new Error(`an answer of ${text.length} characters`);
    const isVerified = method === 'POST' && isValid(way);
    const allowed = isVerified ? [200, 400] : method === 'POST' ? [401] : [405];
    if (!allowed.includes(statusCode)) throw new Error(`${method} ${way}: ${statusCode}`);
    if (bot.faults.length > 0) throw new Error(bot.faults.join('\n'));
    return `${isVerified ? 'signed' : 'not signed'} ${statusCode}`;
  }

  /** The scheme `body` does not sign the timestamp, and `timestamp-secret` does not sign the body. */
  function isValid(way: string): boolean {
    return (
      way === 'valid' ||
      (scheme === 'body' && ['too old', 'too early', 'no time'].includes(way)) ||
      (scheme === 'timestamp-secret' && way === 'another body')
    );
  }

  function headersFor(
    { body, way, noise: text }: Delivery,
    nowMs: number,
    write: (ms: number) => string,
  ): Record<string, string> {
    const valid = signedHeaders(scheme, body, write(nowMs));
    const signatureHeader = scheme === 'standard' ? 'webhook-signature' : 'x-webhook-signature';
    const timeHeader = scheme === 'standard' ? 'webhook-timestamp' : 'x-webhook-timestamp';
    const signature = valid[signatureHeader]!;
    switch (way) {
      case 'valid':
        return valid;
      case 'nothing':
        return {};
      case 'another secret':
        return signedHeaders(scheme, body, write(nowMs), 'another');
      case 'another body':
        return signedHeaders(scheme, `${body} `, write(nowMs));
      case 'cut off':
        return { ...valid, [signatureHeader]: signature.slice(0, signature.length / 2) };
      case 'noise':
        return { ...valid, [signatureHeader]: text };
      case 'empty':
        return { ...valid, [signatureHeader]: '' };
      case 'long':
        return { ...valid, [signatureHeader]: `${signature},`.repeat(100).replaceAll(signature, 'a'.repeat(64)) };
      case 'too old':
        return signedHeaders(scheme, body, write(nowMs - 310_000));
      case 'too early':
        return signedHeaders(scheme, body, write(nowMs + 310_000));
      default:
        return { ...signedHeaders(scheme, body, 'NaN'), [timeHeader]: 'NaN' };
    }
  }

  /** Sends a broken HTTP header without a valid signature. */
  async function tryRaw({ body, noise: text, way }: Delivery): Promise<string> {
    const head = `POST /webhooks/quiz HTTP/1.1\r\nHost: bot\r\nConnection: close\r\nX-Webhook-Signature: ${text}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const at = (text.length * 31 + way.length * 7) % head.length;
    const bytes = Buffer.from(`${head.slice(0, at)}${text.slice(0, 3)}\u0000\r\n${head.slice(at + 2)}${body}`);
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(new URL(bot.url).port), '127.0.0.1', () => void socket.end(bytes));
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('error', () => resolve(received));
      socket.on('close', () => resolve(received));
    });
    if (/HTTP\/1\.1 (?:200|5\d\d)/.test(answer)) throw new Error(`the bot accepted a raw request: ${answer}`);
    return 'raw, refused';
  }

  try {
    return await fuzz(`webhooks, ${scheme}`, options, deliveries, tryValue, bot.memory);
  } finally {
    await pool.destroy();
    await bot.close();
  }
}
