import crypto, { createHash, createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { standardKeys, verifySignature, type SignatureRule } from '../../../src/features/webhooks/signature.ts';
import { runs } from '../../support/drawn.ts';

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

// The same with the secret that comes next.
const nextSecret = 'next-s3cret';
const nextOverBody = '8259293202fa73e9e948c11a42f0b5b7597aa04461f2683798de33b7a46d44e1';
const nextOverTimestampAndBody = 'eda7de25112a08a18aab586bc84f08da4606c0604a7109960be96b4b9c5a6164';
const nextStandard = 'UgrbGg88l4SdlYvn3xcZ7Cf5OTci9k9vMXcC8QdGWw0=';
const nextHashOfTimestampAndSecret = '44f0872ae4cac20d27368b9900402a2ddf0ee4e1e24c6390610b1e11ebe960dd';
const nextHmacOfTimestampAndSecret = 'a6f77b72442ff97a1fcaadc21c2fe5ce37cc36a7eb8b44f0592dea9b31f9af0c';

function verify(headers: Record<string, string>, rule: Partial<SignatureRule> = {}, at = nowMs, signed = body) {
  return verifySignature(
    {
      schemes: ['body'],
      secrets: [secret],
      allowsUnsigned: false,
      signatureHeader: 'X-Webhook-Signature',
      timestampHeader: 'X-Webhook-Timestamp',
      timeZone: 'UTC',
      ...rule,
    },
    headers,
    signed,
    at,
  );
}

const accepted = { accepted: true, coversBody: true };

describe('the scheme “body”', () => {
  test.each([
    ['hex', overBody],
    ['upper case hex', overBody.toUpperCase()],
    ['base64', overBodyBase64],
    ['base64 without padding', overBodyBase64.replace('=', '')],
    ['hex behind sha256=', `sha256=${overBody}`],
    ['hex with dashes', overBody.toUpperCase().replaceAll(/..(?=.)/g, '$&-')],
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
    ['hex with a dash too many', { 'x-webhook-signature': overBody.replaceAll(/../g, '$&-') }],
    ['longer by half a byte', { 'x-webhook-signature': `${overBody}a` }],
    ['cut in two by sha256=', { 'x-webhook-signature': `${overBody.slice(0, 32)}sha256=${overBody.slice(32)}` }],
    ['behind something else', { 'x-webhook-signature': `x${overBody}` }],
    ['behind something else and sha256=', { 'x-webhook-signature': `xsha256=${overBody}` }],
    ['before something else', { 'x-webhook-signature': `${overBody}x` }],
    ['base64 behind something else', { 'x-webhook-signature': `!${overBodyBase64}` }],
    ['base64 before something else', { 'x-webhook-signature': `${overBodyBase64}!` }],
  ])('refuses a signature that is %s', (_, headers) => {
    expect(verify(headers as Record<string, string>).accepted).toBe(false);
  });

  test('refuses another body', () => {
    expect(verify({ 'x-webhook-signature': overBody }, {}, nowMs, Buffer.from(`${body.toString()} `)).accepted).toBe(
      false,
    );
  });

  test('takes a signature with blanks around it', () => {
    expect(verify({ 'x-webhook-signature': ` ${overBody}\t` })).toEqual(accepted);
  });

  test('takes the first of several headers of that name', () => {
    const rule = {
      schemes: ['body'],
      secrets: [secret],
      allowsUnsigned: false,
      signatureHeader: 'Set-Cookie',
      timestampHeader: 'X-Webhook-Timestamp',
      timeZone: 'UTC',
    } as const;
    expect(verifySignature(rule, { 'set-cookie': [overBody, 'other'] }, body, nowMs)).toEqual(accepted);
    expect(verifySignature(rule, { 'set-cookie': ['other', overBody] }, body, nowMs).accepted).toBe(false);
  });

  test('reads the header it is told to', () => {
    expect(verify({ 'x-quiz-hmac': overBody }, { signatureHeader: 'X-Quiz-Hmac' })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': overBody }, { signatureHeader: 'X-Quiz-Hmac' }).accepted).toBe(false);
  });
});

describe('the scheme “timestamp-body”', () => {
  const schemes = ['timestamp-body'] as const;
  const headers = { 'x-webhook-signature': overTimestampAndBody, 'x-webhook-timestamp': timestamp };

  test('takes a header for each, or both in one', () => {
    expect(verify(headers, { schemes })).toEqual(accepted);
    expect(verify({ 'x-webhook-signature': `t=${timestamp},v1=${overTimestampAndBody}` }, { schemes })).toEqual(
      accepted,
    );
    expect(
      verify(
        { 'x-webhook-signature': `t=${timestamp}, v1=${'0'.repeat(64)}, v1=${overTimestampAndBody}` },
        { schemes },
      ),
    ).toEqual(accepted);
  });

  test('takes a timestamp in milliseconds', () => {
    const inMilliseconds = '07cc068880ecf0c8b845d5da7491ae800d04174cd92b83f9b47f3dd81755d050';
    const given = { 'x-webhook-signature': inMilliseconds, 'x-webhook-timestamp': '1700000000123' };
    expect(verify(given, { schemes }, nowMs + 123 + 300_000)).toEqual(accepted);
    expect(verify(given, { schemes }, nowMs + 123 + 300_001).accepted).toBe(false);
  });

  test.each([
    ['0700000000'],
    ['17000000000'],
    ['170000000'],
    ['x1700000000'],
    ['1700000000x'],
    ['1.7e9'],
    ['+1700000000'],
    ['00001700000000'],
    ['1700000000.0'],
  ])('refuses the timestamp %s, signed as it may be', (odd) => {
    const signature = createHmac('sha256', secret).update(`${odd}.`).update(body).digest('hex');
    const given = { 'x-webhook-signature': signature, 'x-webhook-timestamp': odd };
    expect(verify(given, { schemes })).toMatchObject({
      accepted: false,
      reason: 'the timestamp is missing or too far away',
    });
  });

  test('refuses a signature over no timestamp', () => {
    const signature = createHmac('sha256', secret).update('undefined.').update(body).digest('hex');
    expect(verify({ 'x-webhook-signature': signature }, { schemes })).toMatchObject({
      accepted: false,
      reason: 'the timestamp is missing or too far away',
    });
  });

  test('refuses a header of several signatures where no v1 fits', () => {
    expect(
      verify({ 'x-webhook-signature': `t=${timestamp},v1=${overBody},v0=${overTimestampAndBody}` }, { schemes })
        .accepted,
    ).toBe(false);
    expect(verify({ 'x-webhook-signature': `t=${timestamp}` }, { schemes }).accepted).toBe(false);
  });

  test('refuses a timestamp that was changed or left out', () => {
    expect(verify({ ...headers, 'x-webhook-timestamp': '1700000001' }, { schemes }).accepted).toBe(false);
    expect(verify({ 'x-webhook-signature': overTimestampAndBody }, { schemes }).accepted).toBe(false);
  });
});

describe('the scheme “standard”', () => {
  const rule = { schemes: ['standard'], secrets: ['whsec_YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] } as const;
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${standard}` };

  test('takes one signature, or a list in which one fits', () => {
    expect(verify(headers, rule)).toEqual({ ...accepted, messageId: 'msg_1' });
    expect(
      verify({ ...headers, 'webhook-signature': `v1a,xyz v1,${overBodyBase64} v1,${standard}` }, rule),
    ).toMatchObject(accepted);
  });

  test('takes a secret without its prefix', () => {
    expect(verify(headers, { ...rule, secrets: ['YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] })).toMatchObject(accepted);
  });

  test('takes the example of the specification’s own libraries', () => {
    const example = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const exampleRule = { ...rule, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] };
    expect(verify(example, exampleRule, 1_614_265_330_000, Buffer.from('{"test": 2432232314}'))).toMatchObject(
      accepted,
    );
    expect(verify(example, exampleRule, 1_614_265_330_000, Buffer.from('{"test": 2432232315}')).accepted).toBe(false);
  });

  test.each([
    ['no secret of letters', '****'],
    ['no base64 where it says so', 'whsec_****'],
    ['nothing where base64 belongs', 'whsec_'],
  ])('takes no signature with an empty key for a secret that is %s', (_, odd) => {
    const withEmpty = createHmac('sha256', '').update(`msg_1.${timestamp}.`).update(body).digest('base64');
    expect(verify({ ...headers, 'webhook-signature': `v1,${withEmpty}` }, { ...rule, secrets: [odd] }).accepted).toBe(
      false,
    );
  });

  test('has a secret stand for these keys and no others', () => {
    const keys = (text: string) => standardKeys(text).map((key) => key.toString());
    expect(keys('YWJj')).toEqual(['abc', 'YWJj']);
    expect(keys('whsec_YWJj')).toEqual(['abc']);
    expect(keys('whsec_YWJj?')).toEqual([]);
    expect(keys('not base64')).toEqual(['not base64']);
  });

  test('has no secret stand for an empty key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (text, isMarked) => {
        for (const key of standardKeys(isMarked ? `whsec_${text}` : text)) expect(key.length).toBeGreaterThan(0);
      }),
    );
  });

  test('refuses another id, another version and an old timestamp', () => {
    expect(verify({ ...headers, 'webhook-id': 'msg_2' }, rule).accepted).toBe(false);
    expect(verify({ ...headers, 'webhook-signature': `v2,${standard}` }, rule).accepted).toBe(false);
    expect(verify(headers, rule, nowMs + 301_000).accepted).toBe(false);
  });
});

type Headers = Readonly<Record<string, string>>;
const inHeader = (signature: string): Headers => ({ 'x-webhook-signature': signature });
const withTime = (signature: string): Headers => ({ 'x-webhook-timestamp': timestamp, ...inHeader(signature) });
const inOne = (signature: string): Headers => inHeader(`t=${timestamp},v1=${signature}`);
const withId = (signature: string): Headers => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${signature}`,
});
const by = (...schemes: SignatureRule['schemes']) => ({ schemes });
const ofStandard = { ...by('standard'), secrets: ['whsec_YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] };

/** `next`: signed with the secret that comes next. */
const sent: [
  name: string,
  rule: Partial<SignatureRule>,
  headersOf: (signature: string) => Headers,
  signature: string,
  next: string,
][] = [
  ['body', {}, inHeader, overBody, nextOverBody],
  ['timestamp-body', by('timestamp-body'), withTime, overTimestampAndBody, nextOverTimestampAndBody],
  ['timestamp-body in one header', by('timestamp-body'), inOne, overTimestampAndBody, nextOverTimestampAndBody],
  ['standard', ofStandard, withId, standard, nextStandard],
  ['timestamp-secret', by('timestamp-secret'), withTime, hashOfTimestampAndSecret, nextHashOfTimestampAndSecret],
  ['timestamp-secret, HMAC', by('timestamp-secret'), withTime, hmacOfTimestampAndSecret, nextHmacOfTimestampAndSecret],
];

describe.each(sent)('a webhook signed as “%s”', (_, rule, headersOf, signature, nextSignature) => {
  const [present] = rule.secrets ?? [secret];
  const [headers, next] = [headersOf(signature), headersOf(nextSignature)];
  const coversBody = !rule.schemes?.includes('timestamp-secret');

  test('is taken with either secret while one is rotated out, and with none that is gone', () => {
    const rotating = { ...rule, secrets: [nextSecret, present!] };
    expect(verify(headers, rotating)).toMatchObject({ accepted: true, coversBody });
    expect(verify(next, rotating)).toMatchObject({ accepted: true, coversBody });
    expect(verify(headers, { ...rule, secrets: [nextSecret] })).toMatchObject({
      accepted: false,
      reason: 'the signature does not match',
    });
    expect(verify(next, rule)).toMatchObject({ accepted: false, reason: 'the signature does not match' });
  });

  test('is refused without its signature, and without its id where it has one', () => {
    const signatureNames = ['x-webhook-signature', 'webhook-signature', 'webhook-id'].filter((name) => name in headers);
    for (const name of signatureNames) {
      const { [name]: _left, ...others } = headers;
      expect(verify(others, rule)).toMatchObject({ accepted: false, reason: 'the signature is missing' });
      expect(verify({ ...headers, [name]: '' }, rule)).toMatchObject({
        accepted: false,
        reason: 'the signature is missing',
      });
    }
  });

  test('is refused where no secret is configured, unless that is allowed: then nothing vouches for its body', () => {
    expect(verify(headers, { ...rule, secrets: [] })).toMatchObject({
      accepted: false,
      reason: 'no secret is configured',
    });
    expect(verify({}, { ...rule, secrets: [], allowsUnsigned: true })).toEqual({ accepted: true, coversBody: false });
    expect(verify({}, { ...rule, allowsUnsigned: true }).accepted).toBe(false);
  });
});

const timed = sent.filter(([, { schemes }]) => schemes !== undefined);

test.each(timed)(
  'a webhook signed as “%s” is accepted up to five minutes before or after its timestamp, to the millisecond',
  (_, rule, headersOf, signature) => {
    const headers = headersOf(signature);
    for (const offMs of [-300_000, 300_000]) expect(verify(headers, rule, nowMs + offMs).accepted).toBe(true);
    for (const offMs of [-300_001, 300_001]) {
      expect(verify(headers, rule, nowMs + offMs)).toMatchObject({
        accepted: false,
        reason: 'the timestamp is missing or too far away',
      });
    }
  },
);

test.each([
  ['standard', { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,x '.repeat(3_000) }],
  ['timestamp-body', { 'x-webhook-signature': `t=${timestamp}${',v1=x'.repeat(3_000)}` }],
] as const)(
  'a header full of signatures costs the scheme “%s” no more than one signature, even with a long body',
  (scheme, headers) => {
    const counted = vi.spyOn(crypto, 'createHmac');
    syncBuiltinESMExports();
    onTestFinished(() => {
      counted.mockRestore();
      syncBuiltinESMExports();
    });
    expect(verify(headers, { schemes: [scheme], secrets: ['whsec_YWJj', 'whsec_ZGVm'] }).accepted).toBe(false);
    expect(counted).toHaveBeenCalledTimes(2);
  },
);

test('no header or body makes the check throw or pass by accident', () => {
  const anyScheme = fc.constantFrom('body', 'timestamp-body', 'standard', 'timestamp-secret');
  const names = fc.constantFrom(
    'x-webhook-signature',
    'x-webhook-timestamp',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  );
  const values = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[0-9a-f]{64}$/),
    fc.constant(timestamp),
    fc.constant(`t=${timestamp},v1=`),
  );
  fc.assert(
    fc.property(anyScheme, fc.dictionary(names, values), fc.uint8Array(), (scheme, headers, bytes) => {
      expect(verify(headers, { schemes: [scheme] }, nowMs, Buffer.from(bytes)).accepted).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

describe('several schemes', () => {
  const all = ['timestamp-secret', 'body', 'timestamp-body', 'standard'] as const;

  test('refuse what none of them accepts, with what each lacks', () => {
    expect(verify({ 'x-webhook-signature': 'x', 'webhook-id': 'msg_1' }, { schemes: all })).toEqual({
      accepted: false,
      reason: 'the signature does not match',
      tried: [
        { scheme: 'timestamp-secret', problem: 'no X-Webhook-Timestamp header' },
        { scheme: 'body', problem: 'X-Webhook-Signature does not match' },
        { scheme: 'timestamp-body', problem: 'no X-Webhook-Timestamp header' },
        { scheme: 'standard', problem: 'no webhook-signature header' },
      ],
    });
  });

  test.each([
    [{}, 'the signature is missing', 'no X-Webhook-Signature header'],
    [
      { 'x-webhook-signature': 'secret-value', 'x-webhook-timestamp': 'noon' },
      'the timestamp is missing or too far away',
      'no readable time in X-Webhook-Timestamp',
    ],
    [
      { 'x-webhook-signature': 'secret-value', 'x-webhook-timestamp': '1600000000' },
      'the timestamp is missing or too far away',
      'the time in X-Webhook-Timestamp is more than 5 minutes off',
    ],
    [
      { 'x-webhook-signature': 't=1600000000,v1=secret-value' },
      'the timestamp is missing or too far away',
      'the time in X-Webhook-Signature is more than 5 minutes off',
    ],
  ])('say what is missing without a value: %j', (headers, reason, problem) => {
    const schemes = ['timestamp-body'] as const;
    expect(verify(headers as Record<string, string>, { schemes })).toEqual({
      accepted: false,
      reason,
      tried: [{ scheme: 'timestamp-body', problem }],
    });
  });
});

test.each([
  [{ 'content-encoding': 'gzip' }, 'X-Webhook-Signature does not match, and the body is compressed, such as with gzip'],
  [{ 'content-encoding': 'identity' }, 'X-Webhook-Signature does not match'],
  [
    { 'content-type': 'application/json; charset="utf-16"' },
    'X-Webhook-Signature does not match, and the body is not in UTF-8 (charset)',
  ],
  [{ 'content-type': 'application/json; charset=utf-8' }, 'X-Webhook-Signature does not match'],
])('a mismatch says what the head tells of the body: %j', (headers, problem) => {
  expect(verify({ 'x-webhook-signature': 'x', ...(headers as Record<string, string>) })).toMatchObject({
    tried: [{ problem }],
  });
});

describe('a signed timestamp', () => {
  // 2023-11-14 22:13:20 in UTC.
  const check = (text: string, { offMs = 0, timeZone = 'America/Denver' } = {}) => {
    const signature = createHash('sha256').update(`${text} ${secret}`).digest('hex');
    return verify(
      { 'x-webhook-signature': signature, 'x-webhook-timestamp': text },
      { schemes: ['timestamp-secret'], timeZone },
      nowMs + offMs,
    ).accepted;
  };

  test.each([
    '1700000000',
    '1700000000000',
    '2023-11-14T22:13:20Z',
    '2023-11-14T22:13:20.123Z',
    '2023-11-14T22:13:20.1234567Z',
    '2023-11-14 22:13:20Z',
    '2023-11-14 22:13:20 UTC',
    '2023-11-14T23:13:20+01:00',
    '2023-11-14T23:13:20+0100',
    '2023-11-14 22:13:20',
    '2023-11-14T22:13:20',
    '2023-11-14 15:13:20',
    '2023-11-14T15:13:20.000',
    'Tue, 14 Nov 2023 22:13:20 GMT',
    'Tuesday, November 14, 2023 10:13:20 PM',
    'Tuesday, 14 November 2023 22:13:20',
    '11/14/2023 10:13:20 PM',
    '11/14/2023 3:13:20 PM',
    '11/14/2023 10:13:20 p.m. +00:00',
    '11/14/2023 22:13:20',
    '14/11/2023 22:13:20',
    '14.11.2023 22:13:20',
    '14. 11. 2023 22:13:20',
    '14-11-2023 22.13.20',
    '2023/11/14 22:13:20',
    '2023-11-14 10:13:20 PM',
    '2023-11-14T23:13:20+01',
    '20231114221320',
    '20231114221320123',
    '20231114T221320Z',
    '638355968000000000',
    '638355716000000000',
    '133444736000000000',
    '/Date(1700000000000)/',
    '/Date(1700000000000+0000)/',
  ])('can be %s', (text) => {
    expect(check(text)).toBe(true);
    expect([check(text, { offMs: 302_000 }), check(text, { offMs: -302_000 })]).toEqual([false, false]);
  });

  test('is either day where month and day can be either, and no third', () => {
    const march = Date.UTC(2026, 2, 4, 8, 5, 9) - nowMs;
    const april = Date.UTC(2026, 3, 3, 8, 5, 9) - nowMs;
    for (const text of ['3/4/2026 8:05:09 AM', '03.04.2026 08:05:09']) {
      expect([check(text, { offMs: march }), check(text, { offMs: april })]).toEqual([true, true]);
      expect(check(text, { offMs: (march + april) / 2 })).toBe(false);
    }
    expect(check('2026-03-04 08:05:09', { offMs: april })).toBe(false);
  });

  test('is read in the zone of the account or in UTC, and in no other', () => {
    expect(check('2023-11-14 23:13:20')).toBe(false);
    expect(check('2023-11-14 23:13:20', { timeZone: 'Europe/Berlin' })).toBe(true);
    expect(check('2023-11-14 15:13:20Z')).toBe(false);
  });

  test.each([
    '',
    'now',
    '2023-11-14',
    '22:13:20',
    '2023-13-45 99:99:99',
    '13/14/2023 22:13:20',
    'Tue, 14 Foo 2023 22:13:20 GMT',
    '22:13:20 14.11.2023',
    '14.11.23 22:13:20',
    '20231314221320',
    '000000000000000000',
    '2023-11-14T22:13:20+99:99',
    ' '.repeat(10_000),
  ])('cannot be “%s”', (text) => {
    expect(check(text)).toBe(false);
  });
});
