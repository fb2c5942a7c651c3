import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How the service signs. Its public documentation does not name the scheme, so it is configured. */
export interface SignatureRule {
  scheme: 'body' | 'timestamp-body' | 'standard' | 'timestamp-secret';
  /** Any of these may have been used: there are two while a secret is rotated. */
  secrets: readonly string[];
  /** Without a secret: whether webhooks are taken as hints. Otherwise all are refused. */
  allowsUnsigned: boolean;
  signatureHeader: string;
  timestampHeader: string;
}

/** `coversBody` is false where the signature proves at most who called, and not what they sent. */
export type SignatureCheck = { accepted: true; coversBody: boolean } | { accepted: false; reason: string };

/** How far a signed timestamp may be in the past or the future. */
const toleranceMs = 5 * 60_000;

/**
 * Checks a webhook delivery over its raw body, in constant time.
 * @param nowMs the receiver's clock, epoch milliseconds
 */
export function verifySignature(rule: SignatureRule, headers: IncomingHttpHeaders, body: Buffer, nowMs: number): SignatureCheck {
  if (rule.secrets.length === 0) return rule.allowsUnsigned ? { accepted: true, coversBody: false } : refused('no secret is configured');
  switch (rule.scheme) {
    case 'body':
      return verifyBody(rule, headers, body);
    case 'timestamp-body':
      return verifyTimestampAndBody(rule, headers, body, nowMs);
    case 'standard':
      return verifyStandardWebhook(rule, headers, body, nowMs);
    case 'timestamp-secret':
      return verifyTimestampAndSecret(rule, headers, nowMs);
  }
}

function verifyBody(rule: SignatureRule, headers: IncomingHttpHeaders, body: Buffer): SignatureCheck {
  const given = header(headers, rule.signatureHeader);
  if (given === undefined) return refused('the signature is missing');
  return verdict(matches([given], rule.secrets, body), true);
}

function verifyTimestampAndBody(rule: SignatureRule, headers: IncomingHttpHeaders, body: Buffer, nowMs: number): SignatureCheck {
  const given = header(headers, rule.signatureHeader);
  if (given === undefined) return refused('the signature is missing');
  // Either a header for each, or `t=…,v1=…` in one, where v1 may come several times.
  const parts = given.split(',').map((part) => part.trim());
  const inOne = parts.find((part) => part.startsWith('t='))?.slice(2);
  const timestamp = inOne ?? header(headers, rule.timestampHeader);
  const signatures = inOne === undefined ? [given] : parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  if (!isTimely(timestamp, nowMs)) return refused('the timestamp is missing or too far away');
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  return verdict(matches(signatures, rule.secrets, signed), true);
}

/** https://www.standardwebhooks.com: the secret is base64 behind `whsec_`; without it, senders differ in what they use. */
function verifyStandardWebhook(rule: SignatureRule, headers: IncomingHttpHeaders, body: Buffer, nowMs: number): SignatureCheck {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (id === undefined || given === undefined) return refused('the signature is missing');
  if (!isTimely(timestamp, nowMs)) return refused('the timestamp is missing or too far away');
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const signatures = given.split(' ').filter((one) => one.startsWith('v1,')).map((one) => one.slice(3));
  return verdict(matches(signatures, rule.secrets.flatMap(standardKeys), signed), true);
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

function verifyTimestampAndSecret(rule: SignatureRule, headers: IncomingHttpHeaders, nowMs: number): SignatureCheck {
  const given = header(headers, rule.signatureHeader);
  const timestamp = header(headers, rule.timestampHeader);
  if (given === undefined) return refused('the signature is missing');
  if (!isTimely(timestamp, nowMs)) return refused('the timestamp is missing or too far away');
  const expected = rule.secrets.flatMap((secret) => {
    const signed = Buffer.from(`${timestamp} ${secret}`);
    return [createHash('sha256').update(signed).digest(), hmac(secret, signed)];
  });
  return verdict(expected.map((one) => isSame(given, one)), false);
}

/** Computes one HMAC for each key, however many signatures a header has: thousands fit into one. */
function matches(signatures: readonly string[], keys: readonly (string | Buffer)[], signed: Buffer): boolean[] {
  return keys.flatMap((key) => {
    const expected = hmac(key, signed);
    return signatures.map((given) => isSame(given, expected));
  });
}

function verdict(matching: boolean[], coversBody: boolean): SignatureCheck {
  return matching.includes(true) ? { accepted: true, coversBody } : refused('the signature does not match');
}

function refused(reason: string): SignatureCheck {
  return { accepted: false, reason };
}

function hmac(key: string | Buffer, signed: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}

/** `given` is hex or base64, with or without a `sha256=` before it. */
function isSame(given: string, expected: Buffer): boolean {
  const text = given.replace(/^sha256=/i, '');
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : Buffer.alloc(0);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** `timestamp` counts seconds since the epoch, or milliseconds. */
function isTimely(timestamp: string | undefined, nowMs: number): timestamp is string {
  if (timestamp === undefined || !/^\d{10}(\d{3})?$/.test(timestamp)) return false;
  const timestampMs = timestamp.length === 13 ? Number(timestamp) : Number(timestamp) * 1000;
  return Math.abs(nowMs - timestampMs) <= toleranceMs;
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text?.trim();
}
