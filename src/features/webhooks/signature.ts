import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { wallClock } from '../../time/wall-clock.ts';

export type SignatureScheme = 'body' | 'timestamp-body' | 'standard' | 'timestamp-secret';

/** How the service signs. Its public documentation does not name the scheme, so it is configured. */
export interface SignatureRule {
  /** A webhook is accepted by the first that matches. */
  schemes: readonly SignatureScheme[];
  /** Any of these may have been used: there are two while a secret is rotated. */
  secrets: readonly string[];
  /** Without a secret: whether webhooks are taken as hints. Otherwise all are refused. */
  allowsUnsigned: boolean;
  signatureHeader: string;
  timestampHeader: string;
  /** The account's, for signed timestamps without a zone. */
  timeZone: string;
  /** How far a signed time may be in the past or the future. Default: five minutes. */
  toleranceMs?: number;
}

/** Why a scheme does not accept a webhook. `text` names headers, and never contains a value. */
interface Problem {
  reason: (typeof reasons)[number];
  text: string;
}

/** From the one that says most to the one that says least. */
const reasons = [
  'the signature does not match',
  'the timestamp is missing or too far away',
  'the signature is missing',
] as const;

export type SignatureCheck =
  /**
   * `coversBody` is false where the signature proves at most who called, and not what they sent.
   * `messageId` is the signed id of the delivery, which only Standard Webhooks have.
   */
  | { accepted: true; coversBody: boolean; messageId?: string | undefined }
  /** `tried` says what each scheme lacks; it names headers, and never contains a value. */
  | { accepted: false; reason: string; tried: readonly { scheme: SignatureScheme; problem: string }[] };

interface Delivery {
  rule: SignatureRule;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  nowMs: number;
}

const schemes: Record<SignatureScheme, (delivery: Delivery) => Problem | undefined> = {
  body: checkBody,
  'timestamp-body': checkTimestampAndBody,
  standard: checkStandardWebhook,
  'timestamp-secret': checkTimestampAndSecret,
};

/**
 * Checks a webhook delivery over its raw body with each scheme of the rule, comparing signatures in constant time.
 * @param body undefined while it is not read: what can be signed by its head is accepted
 * @param nowMs the receiver's clock, epoch milliseconds
 */
export function verifySignature(
  rule: SignatureRule,
  headers: IncomingHttpHeaders,
  body: Buffer | undefined,
  nowMs: number,
): SignatureCheck {
  if (rule.secrets.length === 0)
    return rule.allowsUnsigned
      ? { accepted: true, coversBody: false }
      : { accepted: false, reason: 'no secret is configured', tried: [] };
  const problems: (Problem & { scheme: SignatureScheme })[] = [];
  for (const scheme of rule.schemes) {
    const problem = schemes[scheme]({ rule, headers, body, nowMs });
    if (problem === undefined)
      return {
        accepted: true,
        coversBody: scheme !== 'timestamp-secret',
        messageId: scheme === 'standard' ? header(headers, 'webhook-id') : undefined,
      };
    problems.push({ scheme, ...problem });
  }
  const reason = reasons.find((one) => problems.some((problem) => problem.reason === one))!;
  return { accepted: false, reason, tried: problems.map(({ scheme, text }) => ({ scheme, problem: text })) };
}

function checkBody({ rule, headers, body }: Delivery): Problem | undefined {
  const given = header(headers, rule.signatureHeader);
  if (given === undefined) return missing(rule.signatureHeader);
  return mismatch(rule.signatureHeader, matches([given], rule.secrets, body), headers);
}

function checkTimestampAndBody({ rule, headers, body, nowMs }: Delivery): Problem | undefined {
  const given = header(headers, rule.signatureHeader);
  if (given === undefined) return missing(rule.signatureHeader);
  // Either a header for each, or `t=…,v1=…` in one, where v1 may come several times.
  const parts = given.split(',').map((part) => part.trim());
  const inOne = parts.find((part) => part.startsWith('t='))?.slice(2);
  const timestamp = inOne ?? header(headers, rule.timestampHeader);
  const signatures =
    inOne === undefined ? [given] : parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  const late = untimely(inOne === undefined ? rule.timestampHeader : rule.signatureHeader, timestamp, nowMs, rule);
  if (late) return late;
  const signed = body && Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  return mismatch(rule.signatureHeader, matches(signatures, rule.secrets, signed), headers);
}

/** https://www.standardwebhooks.com: the secret is base64 behind `whsec_`; without it, senders differ in what they use. */
function checkStandardWebhook({ rule, headers, body, nowMs }: Delivery): Problem | undefined {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (id === undefined) return missing('webhook-id');
  if (given === undefined) return missing('webhook-signature');
  const late = untimely('webhook-timestamp', timestamp, nowMs, rule);
  if (late) return late;
  const signed = body && Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const signatures = given
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => one.slice(3));
  return mismatch('webhook-signature', matches(signatures, rule.secrets.flatMap(standardKeys), signed), headers);
}

const standardPrefix = 'whsec_';

/**
 * The keys that a secret of Standard Webhooks can mean; none where it is marked as base64 and is not. Node ignores
 * characters that are not base64: a secret of other characters would become an empty key.
 */
export function standardKeys(secret: string): Buffer[] {
  const isMarked = secret.startsWith(standardPrefix);
  const text = isMarked ? secret.slice(standardPrefix.length) : secret;
  const isBase64 = /^[A-Za-z0-9+/]{2,}={0,2}$/.test(text);
  return [...(isBase64 ? [Buffer.from(text, 'base64')] : []), ...(isMarked ? [] : [Buffer.from(text)])];
}

function checkTimestampAndSecret({ rule, headers, nowMs }: Delivery): Problem | undefined {
  const given = header(headers, rule.signatureHeader);
  const timestamp = header(headers, rule.timestampHeader);
  if (given === undefined) return missing(rule.signatureHeader);
  const late = untimely(rule.timestampHeader, timestamp, nowMs, rule);
  if (late) return late;
  const expected = rule.secrets.flatMap((secret) => {
    const signed = Buffer.from(`${timestamp} ${secret}`);
    return [createHash('sha256').update(signed).digest(), hmac(secret, signed)];
  });
  return mismatch(
    rule.signatureHeader,
    expected.map((one) => isSame(given, one)),
    headers,
  );
}

/** Computes one HMAC for each key, however many signatures a header has: thousands fit into one. */
function matches(
  signatures: readonly string[],
  keys: readonly (string | Buffer)[],
  signed: Buffer | undefined,
): boolean[] {
  if (signed === undefined) return signatures.map((given) => bytesOf(given).length === signatureBytes);
  return keys.flatMap((key) => {
    const expected = hmac(key, signed);
    return signatures.map((given) => isSame(given, expected));
  });
}

function missing(name: string): Problem {
  return { reason: 'the signature is missing', text: `no ${name} header` };
}

function mismatch(name: string, matching: readonly boolean[], headers: IncomingHttpHeaders): Problem | undefined {
  if (matching.includes(true)) return undefined;
  const cause = oddBody(headers);
  const text = cause === undefined ? `${name} does not match` : `${name} does not match, and ${cause}`;
  return { reason: 'the signature does not match', text };
}

/** What keeps the bot from reading a body, by its head; the sender has to send JSON in UTF-8, as it is. */
export function oddBody(headers: IncomingHttpHeaders): string | undefined {
  const encoding = header(headers, 'content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return 'the body is compressed, such as with gzip';
  const charset = header(headers, 'content-type')?.match(/charset="?([\w-]+)/i)?.[1] ?? 'utf-8';
  return /^(?:utf-?8|us-ascii)$/i.test(charset) ? undefined : 'the body is not in UTF-8 (charset)';
}

function untimely(
  name: string,
  timestamp: string | undefined,
  nowMs: number,
  { timeZone, toleranceMs }: SignatureRule,
): Problem | undefined {
  const isInTime = timestamp === undefined ? undefined : isTimely(timestamp, nowMs, timeZone, toleranceMs);
  if (isInTime === true) return undefined;
  const text =
    timestamp === undefined
      ? `no ${name} header`
      : isInTime === undefined
        ? `no readable time in ${name}`
        : `the time in ${name} is more than 5 minutes off`;
  return { reason: 'the timestamp is missing or too far away', text };
}

function hmac(key: string | Buffer, signed: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}

function isSame(given: string, expected: Buffer): boolean {
  const bytes = bytesOf(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

const signatureBytes = 32;

/** `given` is hex, also with the dashes of .NET's `BitConverter`, or base64, with or without a `sha256=` before it. */
function bytesOf(given: string): Buffer {
  const plain = given.replace(/^sha256=/i, '');
  const text = /^(?:[0-9a-f]{2}-){31}[0-9a-f]{2}$/i.test(plain) ? plain.replaceAll('-', '') : plain;
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? text : '', 'base64');
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text?.trim();
}

/** How far a signed timestamp may be in the past or the future. */
const standardToleranceMs = 5 * 60_000;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const written =
  /^(?:[a-z]+,? )?(\d{1,4}|[a-z]{3,9})[-/. ] ?(\d{1,2}|[a-z]{3,9}),?[-/. ] ?(\d{1,4})(?:t|,? )(\d{1,2})[:.](\d\d)(?:[:.](\d\d)([.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(z|utc|gmt|[+-]\d\d(?::?\d\d)?))?$/i;
type Written = [
  text: string,
  first: string,
  second: string,
  third: string,
  hour: string,
  minute: string,
  seconds?: string,
  fraction?: string,
  half?: string,
  zone?: string,
];
/** `yyyyMMddHHmmss`, also with milliseconds. */
const inDigits = /^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)(?:\d{3})?(?=Z?$)/i;

/**
 * Whether a signed timestamp is close to `nowMs` (epoch milliseconds); undefined where it is not a time.
 *
 * Reads counts since an epoch, and dates before times as .NET writes them. A text without a zone is taken as UTC or as the
 * account's own time, and `03/04/2026` as either day, because the public help names none of it.
 *
 * @param timeZone the account's
 */
function isTimely(
  timestamp: string,
  nowMs: number,
  timeZone: string,
  toleranceMs = standardToleranceMs,
): boolean | undefined {
  const readings = readingsOf(timestamp, nowMs, timeZone);
  return readings && readings.some((offMs) => Math.abs(offMs) <= toleranceMs);
}

/** How far each reading of the timestamp is from now. */
function readingsOf(timestamp: string, nowMs: number, timeZone: string): number[] | undefined {
  const text = timestamp.replace(/^\/Date\((\d{13})(?:[+-]\d{4})?\)\/$/, '$1');
  // Comparing what the wall clock shows needs no rule for the hour that comes twice in autumn.
  const local = (moment: number) => [moment - nowMs, moment - wallClock(timeZone).shownAt(nowMs)];
  if (/^\d{10}$|^\d{13}$/.test(text)) return [Number(text) * (text.length === 13 ? 1 : 1000) - nowMs];
  // Of 100 ns, since the years 1 and 1601.
  if (/^\d{18}$/.test(text)) {
    const [ticks, fileTime] = [621_355_968_000_000_000n, 116_444_736_000_000_000n].map((epoch) =>
      Number((BigInt(text) - epoch) / 10_000n),
    ) as [number, number];
    return [...local(ticks), fileTime - nowMs];
  }
  const found = written.exec(text.replace(inDigits, '$1-$2-$3 $4:$5:$6'));
  if (found === null) return undefined;
  const [, first, second, third, hour, minute, seconds = '00', fraction = '', half, zone] = found as unknown as Written;
  const orders: readonly [string, string, string][] =
    first.length === 4 && !Number.isNaN(Number(first))
      ? [[first, second, third]]
      : [
          [third, first, second],
          [third, second, first],
        ];
  const hours = half === undefined ? hour : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = `${twoDigits(hours)}:${minute}:${seconds}${fraction.replace(',', '.')}${offsetOf(zone)}`;
  const moments = orders
    .map(([year, month, day]) => `${year}-${twoDigits(monthOf(month))}-${twoDigits(day)}T${time}`)
    // Of other texts, Node makes a time by rules of its own.
    .filter((one) => /^\d{4}-\d\d-\d\dT/.test(one))
    .map((one) => Date.parse(one))
    .filter((moment) => !Number.isNaN(moment));
  if (moments.length === 0) return undefined;
  return moments.flatMap((moment) => (zone === undefined ? local(moment) : [moment - nowMs]));
}

const twoDigits = (number: string | number) => String(number).padStart(2, '0');

function monthOf(text: string): string | number {
  return /\d/.test(text) ? text : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function offsetOf(zone: string | undefined): string {
  if (zone === undefined || /[a-z]/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}
