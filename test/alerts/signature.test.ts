import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifySignature, type SignatureRule } from '../../src/alerts/signature.ts';

// The signatures below were made with openssl over exactly this body, secret and time.
const body = Buffer.from('{"event_id":"e-1","event_type":"response.submitted"}');
const secret = 's3cret-of-the-account';
const timestamp = '1700000000';
const nowMs = 1_700_000_000_000;

const overBody = '208fb6af298e2f627a00f96020ab00e54776d0f2f20490acdcde1f3f58c2f66a';
const overBodyBase64 = 'II+2rymOL2J6APlgIKsA5Ud20PLyBJCs3N4fP1jC9mo=';
const overTimestampAndBody = '71d87f08110613f4a8ad2076adb3b269eae1be90ac942705cc73c208b7e3e0ec';
const standard = '5H9t1ZrZRz9fxt797+Ai0c3jhdFEhXPbrfFMMmZh3k8=';
const hashOfTimestampAndSecret = '6b2904ba0be4c742fc043cdb0f1b413718f89b6ae91f104bb6e881880e0d8665';
const hmacOfTimestampAndSecret = '885c6b57ac17d5bdae1fb64094a1ab4720f11a823e94cd699d7269688da5da06';

function verify(headers: Record<string, string>, rule: Partial<SignatureRule> = {}, at = nowMs, signed = body) {
  return verifySignature(
    { scheme: 'body', secrets: [secret], signatureHeader: 'X-Webhook-Signature', timestampHeader: 'X-Webhook-Timestamp', ...rule },
    headers,
    signed,
    at,
  );
}

const accepted = { authentic: true, coversBody: true };

describe('the scheme “body”', () => {
  test.each([
    ['hex', overBody],
    ['upper case hex', overBody.toUpperCase()],
    ['base64', overBodyBase64],
    ['base64 without padding', overBodyBase64.replace('=', '')],
    ['hex behind sha256=', `sha256=${overBody}`],
    ['base64 behind sha256=', `sha256=${overBodyBase64}`],
  ])('takes the signature as %s', (_, signature) => {
    expect(verify({ 'x-webhook-signature': signature })).toEqual(accepted);
  });

  test.each([
    ['missing', {}],
    ['empty', { 'x-webhook-signature': '' }],
    ['truncated', { 'x-webhook-signature': overBody.slice(0, 62) }],
    ['too long', { 'x-webhook-signature': `${overBody}00` }],
    ['of another secret', { 'x-webhook-signature': createHmac('sha256', 'another').update(body).digest('hex') }],
    ['no hex and no base64', { 'x-webhook-signature': 'z'.repeat(64) }],
  ])('refuses a signature that is %s', (_, headers) => {
    expect(verify(headers as Record<string, string>).authentic).toBe(false);
  });

  test('refuses another body', () => {
    expect(verify({ 'x-webhook-signature': overBody }, {}, nowMs, Buffer.from(`${body.toString()} `)).authentic).toBe(false);
  });

  test('takes either secret while one is rotated out, and none that is gone', () => {
    expect(verify({ 'x-webhook-signature': overBody }, { secrets: ['next', secret] })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': overBody }, { secrets: ['next'] }).authentic).toBe(false);
  });

  test('takes nothing where no secret is configured, not even a signature made with an empty one', () => {
    const withEmpty = createHmac('sha256', '').update(body).digest('hex');
    expect(verify({ 'x-webhook-signature': withEmpty }, { secrets: [] })).toMatchObject({ authentic: false });
  });

  test('reads the header it is told to', () => {
    expect(verify({ 'x-quiz-hmac': overBody }, { signatureHeader: 'X-Quiz-Hmac' })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': overBody }, { signatureHeader: 'X-Quiz-Hmac' }).authentic).toBe(false);
  });
});

describe('the scheme “timestamp-body”', () => {
  const scheme = 'timestamp-body';
  const headers = { 'x-webhook-signature': overTimestampAndBody, 'x-webhook-timestamp': timestamp };

  test('takes a header for each, or both in one', () => {
    expect(verify(headers, { scheme })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': `t=${timestamp},v1=${overTimestampAndBody}` }, { scheme })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': `t=${timestamp}, v1=${'0'.repeat(64)}, v1=${overTimestampAndBody}` }, { scheme })).toEqual(accepted);
  });

  test('refuses a timestamp more than five minutes away, in the past and in the future', () => {
    expect(verify(headers, { scheme }, nowMs + 299_000)).toEqual(accepted);
    expect(verify(headers, { scheme }, nowMs - 299_000)).toEqual(accepted);
    expect(verify(headers, { scheme }, nowMs + 301_000).authentic).toBe(false);
    expect(verify(headers, { scheme }, nowMs - 301_000).authentic).toBe(false);
  });

  test('refuses a timestamp that was changed or left out', () => {
    expect(verify({ ...headers, 'x-webhook-timestamp': '1700000001' }, { scheme }).authentic).toBe(false);
    expect(verify({ 'x-webhook-signature': overTimestampAndBody }, { scheme }).authentic).toBe(false);
  });
});

describe('the scheme “standard”', () => {
  const rule = { scheme: 'standard', secrets: ['whsec_YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] } as const;
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${standard}` };

  test('takes one signature, or a list in which one fits', () => {
    expect(verify(headers, rule)).toEqual(accepted);
    expect(verify({ ...headers, 'webhook-signature': `v1a,xyz v1,${overBodyBase64} v1,${standard}` }, rule)).toEqual(accepted);
  });

  test('takes a secret without its prefix', () => {
    expect(verify(headers, { ...rule, secrets: ['YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] })).toEqual(accepted);
  });

  test('refuses another id, another version and an old timestamp', () => {
    expect(verify({ ...headers, 'webhook-id': 'msg_2' }, rule).authentic).toBe(false);
    expect(verify({ ...headers, 'webhook-signature': `v2,${standard}` }, rule).authentic).toBe(false);
    expect(verify(headers, rule, nowMs + 301_000).authentic).toBe(false);
  });
});

describe('the scheme “timestamp-secret”', () => {
  const scheme = 'timestamp-secret';

  test.each([hashOfTimestampAndSecret, hmacOfTimestampAndSecret])('says who called, but not what they sent', (signature) => {
    const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp };
    expect(verify(headers, { scheme })).toEqual({ authentic: true, coversBody: false });
    expect(verify(headers, { scheme }, nowMs + 301_000).authentic).toBe(false);
  });
});

test('no header and no body makes the check throw or pass by chance', () => {
  const schemes = fc.constantFrom('body', 'timestamp-body', 'standard', 'timestamp-secret');
  const names = fc.constantFrom('x-webhook-signature', 'x-webhook-timestamp', 'webhook-id', 'webhook-timestamp', 'webhook-signature');
  const values = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/), fc.constant(timestamp), fc.constant(`t=${timestamp},v1=`));
  fc.assert(
    fc.property(schemes, fc.dictionary(names, values), fc.uint8Array(), (scheme, headers, bytes) => {
      expect(verify(headers, { scheme }, nowMs, Buffer.from(bytes)).authentic).toBe(false);
    }),
    { numRuns: 500 },
  );
});
