import crypto, { createHash, createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  standardKeys,
  verifySignature,
  type SignatureRule,
  type SignatureScheme,
} from '../../../src/features/webhooks/signature.ts';
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

type Headers = Readonly<Record<string, string>>;
type Rule = Partial<SignatureRule>;

const usualRule: SignatureRule = {
  schemes: ['body'],
  secrets: [secret],
  allowsUnsigned: false,
  signatureHeader: 'X-Webhook-Signature',
  timestampHeader: 'X-Webhook-Timestamp',
  timeZone: 'UTC',
};
const verify = (headers: Headers, rule: Rule = {}, at = nowMs, signed = body) =>
  verifySignature({ ...usualRule, ...rule }, headers, signed, at);

const inHeader = (signature: string): Headers => ({ 'x-webhook-signature': signature });
const withTime = (signature: string, time = timestamp): Headers => ({
  'x-webhook-timestamp': time,
  ...inHeader(signature),
});
const inOne = (signature: string): Headers => inHeader(`t=${timestamp},v1=${signature}`);
const ofStandard = (signatures: string, id = 'msg_1', time = timestamp): Headers => ({
  'webhook-id': id,
  'webhook-timestamp': time,
  'webhook-signature': signatures,
});
const by = (...schemes: SignatureRule['schemes']) => ({ schemes });
const overTime = by('timestamp-body');
const overId = { ...by('standard'), secrets: ['whsec_YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] };
const hmacOf = (...parts: (string | Buffer)[]) =>
  createHmac('sha256', secret).update(Buffer.concat(parts.map((part) => Buffer.from(part))));
const dashed = overBody.toUpperCase().replaceAll(/..(?=.)/g, '$&-');

test.each<[what: string, headers: Headers, rule?: Rule]>([
  ['hex', inHeader(overBody)],
  ['upper case hex', inHeader(overBody.toUpperCase())],
  ['base64', inHeader(overBodyBase64)],
  ['base64 without padding', inHeader(overBodyBase64.replace('=', ''))],
  ['base64 for addresses', inHeader(overBodyBase64.replaceAll('+', '-').replaceAll('/', '_'))],
  ['hex behind sha256=', inHeader(`sha256=${overBody}`)],
  ['hex behind SHA256=', inHeader(`SHA256=${overBody}`)],
  ['hex with dashes', inHeader(dashed)],
  ['base64 behind sha256=', inHeader(`sha256=${overBodyBase64}`)],
  ['blanks around the signature', inHeader(` ${overBody}\t`)],
  ['the header that is configured', { 'x-quiz-hmac': overBody }, { signatureHeader: 'X-Quiz-Hmac' }],
  ['the second of two v1', inHeader(`t=${timestamp}, v1=${'0'.repeat(64)}, v1=${overTimestampAndBody}`), overTime],
  ['the third in a list', ofStandard(`v1a,xyz v1,${overBodyBase64} v1,${standard}`), overId],
  [
    'a secret without whsec_',
    ofStandard(`v1,${standard}`),
    { ...overId, secrets: ['YS1zdGFuZGFyZC13ZWJob29rLWtleQ=='] },
  ],
])('a webhook is taken with %s', (_, headers, rule) => {
  expect(verify(headers, rule)).toMatchObject({ accepted: true, coversBody: true });
});

const mismatch = 'the signature does not match';
const untimely = 'the timestamp is missing or too far away';
const missing = 'the signature is missing';
const withEmptyKey = createHmac('sha256', '').update(`msg_1.${timestamp}.`).update(body).digest('base64');

test.each<[what: string, reason: string, headers: Headers, rule?: Rule]>([
  ['nothing', missing, {}],
  ['an empty signature', missing, inHeader('')],
  ['another header than the configured one', missing, inHeader(overBody), { signatureHeader: 'X-Quiz-Hmac' }],
  ['a truncated signature', mismatch, inHeader(overBody.slice(0, 62))],
  ['a longer signature', mismatch, inHeader(`${overBody}00`)],
  ['a signature of another secret', mismatch, inHeader(nextOverBody)],
  ['no hex and no base64', mismatch, inHeader('z'.repeat(64))],
  ['a dash too many', mismatch, inHeader(`${dashed}-`)],
  ['something before the dashes', mismatch, inHeader(`00-${dashed}`)],
  ['half a byte more', mismatch, inHeader(`${overBody}a`)],
  ['sha256= in the middle', mismatch, inHeader(`${overBody.slice(0, 32)}sha256=${overBody.slice(32)}`)],
  ['something before the hex', mismatch, inHeader(`x${overBody}`)],
  ['something before sha256=', mismatch, inHeader(`xsha256=${overBody}`)],
  ['something after the hex', mismatch, inHeader(`${overBody}x`)],
  ['something before the base64', mismatch, inHeader(`!${overBodyBase64}`)],
  ['something after the base64', mismatch, inHeader(`${overBodyBase64}!`)],
  ['a v0 that fits', mismatch, inHeader(`t=${timestamp},v1=${overBody},v0=${overTimestampAndBody}`), overTime],
  ['no v1', mismatch, inHeader(`t=${timestamp}`), overTime],
  ['another time than the signed one', mismatch, withTime(overTimestampAndBody, '1700000001'), overTime],
  ['no time', untimely, inHeader(overTimestampAndBody), overTime],
  ['a signature over no time', untimely, inHeader(hmacOf('undefined.', body).digest('hex')), overTime],
  ['another id than the signed one', mismatch, ofStandard(`v1,${standard}`, 'msg_2'), overId],
  ['another version', mismatch, ofStandard(`v2,${standard}`), overId],
  ...['****', 'whsec_****', 'whsec_'].map((odd): [string, string, Headers, Rule] => [
    `an empty key for the secret ${odd}`,
    mismatch,
    ofStandard(`v1,${withEmptyKey}`),
    { ...overId, secrets: [odd] },
  ]),
  // None of these is a count of seconds or milliseconds, signed as it may be.
  ...[
    '0700000000',
    '17000000000',
    '170000000',
    'x1700000000',
    '1700000000x',
    '1.7e9',
    '+1700000000',
    '00001700000000',
    '1700000000.0',
  ].map((odd): [string, string, Headers, Rule] => [
    `the time ${odd}`,
    untimely,
    withTime(hmacOf(`${odd}.`, body).digest('hex'), odd),
    overTime,
  ]),
])('a webhook is refused with %s: %s', (_, reason, headers, rule) => {
  expect(verify(headers, rule)).toMatchObject({ accepted: false, reason });
});

test('a webhook is refused with another body', () => {
  expect(verify(inHeader(overBody), {}, nowMs, Buffer.from(`${body.toString()} `)).accepted).toBe(false);
});

test.each<[what: string, isAccepted: boolean, headers: Headers, rule?: Rule]>([
  ['any signature of the right length', true, inHeader('0'.repeat(64))],
  ['a signature that is too short', false, inHeader('0'.repeat(62))],
  ['several of which one can be right', true, inHeader(`t=${timestamp},v1=x,v1=${'0'.repeat(64)}`), overTime],
  ['no signature', false, {}],
  ['any signature with its time', true, withTime('0'.repeat(64)), overTime],
  ['an old time', false, withTime('0'.repeat(64), '1600000000'), overTime],
  ['any Standard Webhook', true, ofStandard(`v1,${overBodyBase64}`), overId],
])('before the body is read, a head is judged by what it shows: %s', (_, isAccepted, headers, rule) => {
  expect(verifySignature({ ...usualRule, ...rule }, headers, undefined, nowMs).accepted).toBe(isAccepted);
});

test('the first of several headers of that name counts', () => {
  const rule = { ...usualRule, signatureHeader: 'Set-Cookie' };
  expect(verifySignature(rule, { 'set-cookie': [overBody, 'other'] }, body, nowMs).accepted).toBe(true);
  expect(verifySignature(rule, { 'set-cookie': ['other', overBody] }, body, nowMs).accepted).toBe(false);
});

test('a timestamp in milliseconds counts to the millisecond', () => {
  const headers = withTime('07cc068880ecf0c8b845d5da7491ae800d04174cd92b83f9b47f3dd81755d050', '1700000000123');
  expect(verify(headers, overTime, nowMs + 123 + 300_000).accepted).toBe(true);
  expect(verify(headers, overTime, nowMs + 123 + 300_001).accepted).toBe(false);
});

describe('the scheme “standard”', () => {
  test('takes the example of the specification’s own libraries', () => {
    const headers = ofStandard(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '1614265330',
    );
    const taken = ['{"test": 2432232314}', '{"test": 2432232315}'].map(
      (text) =>
        verify(
          headers,
          { ...overId, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] },
          1_614_265_330_000,
          Buffer.from(text),
        ).accepted,
    );
    expect(taken).toEqual([true, false]);
  });

  test.each([
    ['YWJj', ['abc', 'YWJj']],
    ['whsec_YWJj', ['abc']],
    ['whsec_YWJj?', []],
    ['whsec_?YWJj', []],
    ['whsec_YWI=', ['ab']],
    ['whsec_YQ==', ['a']],
    ['whsec_YQ===', []],
    ['not base64', ['not base64']],
  ])('has the secret %s stand for the keys %j', (text, keys) => {
    expect(standardKeys(text).map((key) => key.toString())).toEqual(keys);
  });

  test('has no secret stand for an empty key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (text, isMarked) => {
        for (const key of standardKeys(isMarked ? `whsec_${text}` : text)) expect(key.length).toBeGreaterThan(0);
      }),
    );
  });
});

/** `next`: signed with the secret that comes next. */
const sent: [name: string, rule: Rule, headersOf: (signature: string) => Headers, signature: string, next: string][] = [
  ['body', {}, inHeader, overBody, nextOverBody],
  ['timestamp-body', overTime, withTime, overTimestampAndBody, nextOverTimestampAndBody],
  ['timestamp-body in one header', overTime, inOne, overTimestampAndBody, nextOverTimestampAndBody],
  ['standard', overId, (signature) => ofStandard(`v1,${signature}`), standard, nextStandard],
  ['timestamp-secret', by('timestamp-secret'), withTime, hashOfTimestampAndSecret, nextHashOfTimestampAndSecret],
  ['timestamp-secret, HMAC', by('timestamp-secret'), withTime, hmacOfTimestampAndSecret, nextHmacOfTimestampAndSecret],
];

describe.each(sent)('a webhook signed as “%s”', (name, rule, headersOf, signature, nextSignature) => {
  const [present = secret] = rule.secrets ?? [];
  const sentWith = (one: string): Headers => ({ 'webhook-id': 'msg_1', ...headersOf(one) });
  const [headers, next] = [sentWith(signature), sentWith(nextSignature)];
  const accepted = {
    accepted: true,
    coversBody: !name.startsWith('timestamp-secret'),
    messageId: name === 'standard' ? 'msg_1' : undefined,
  };

  test('is taken with either secret while one is rotated out, and with none that is gone', () => {
    const rotating = { ...rule, secrets: [nextSecret, present] };
    expect([verify(headers, rotating), verify(next, rotating)]).toEqual([accepted, accepted]);
    for (const refused of [verify(headers, { ...rule, secrets: [nextSecret] }), verify(next, rule)])
      expect(refused).toMatchObject({ accepted: false, reason: mismatch });
  });

  test('is refused without its signature, and without its id where it has one', () => {
    const signed = ['x-webhook-signature', 'webhook-signature', ...(name === 'standard' ? ['webhook-id'] : [])];
    for (const one of signed.filter((each) => each in headers)) {
      const { [one]: _left, ...others } = headers;
      for (const lacking of [others, { ...headers, [one]: '' }])
        expect(verify(lacking, rule)).toMatchObject({ accepted: false, reason: missing });
    }
  });

  test('is refused where no secret is configured, unless that is allowed: then nothing vouches for its body', () => {
    expect(verify(headers, { ...rule, secrets: [] })).toEqual({
      accepted: false,
      reason: 'no secret is configured',
      tried: [],
    });
    expect(verify({}, { ...rule, secrets: [], allowsUnsigned: true })).toEqual({ accepted: true, coversBody: false });
    expect(verify({}, { ...rule, allowsUnsigned: true }).accepted).toBe(false);
  });

  test('is taken up to five minutes before or after its time, where it has one, to the millisecond', () => {
    for (const offMs of [-300_000, 300_000]) expect(verify(headers, rule, nowMs + offMs).accepted).toBe(true);
    for (const offMs of [-300_001, 300_001])
      expect(verify(headers, rule, nowMs + offMs)).toMatchObject(
        name === 'body' ? accepted : { accepted: false, reason: untimely },
      );
  });
});

test.each<[string, Headers, Rule]>([
  ['standard', ofStandard('v1,x '.repeat(3_000)), { ...overId, secrets: ['whsec_YWJj', 'whsec_ZGVm'] }],
  ['timestamp-body', inHeader(`t=${timestamp}${',v1=x'.repeat(3_000)}`), { ...overTime, secrets: ['one', 'other'] }],
])('a header full of signatures costs the scheme “%s” no more than one signature', (_, headers, rule) => {
  const counted = vi.spyOn(crypto, 'createHmac');
  syncBuiltinESMExports();
  onTestFinished(() => {
    counted.mockRestore();
    syncBuiltinESMExports();
  });
  expect(verify(headers, rule).accepted).toBe(false);
  expect(counted).toHaveBeenCalledTimes(2);
});

test('no header or body makes the check throw or pass by accident', () => {
  const anyScheme = fc.constantFrom('body', 'timestamp-body', 'standard', 'timestamp-secret');
  const names = fc.constantFrom(...Object.keys({ ...withTime(''), ...ofStandard('') }));
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

const notFitting = 'X-Webhook-Signature does not match';
const compressed = `${notFitting}, and the body is compressed, such as with gzip`;
const inOtherLetters = `${notFitting}, and the body is not in UTF-8 (charset)`;
const tooLongAgo = (name: string) => `the time in ${name} is more than 5 minutes off`;
const ofType = (type: string): Headers => ({ ...inHeader('hidden'), 'content-type': type });

test.each<[scheme: SignatureScheme, problem: string, reason: string, headers: Headers]>([
  ['body', 'no X-Webhook-Signature header', missing, {}],
  ['timestamp-body', 'no X-Webhook-Signature header', missing, {}],
  ['timestamp-body', 'no X-Webhook-Timestamp header', untimely, inHeader('hidden')],
  ['timestamp-body', 'no readable time in X-Webhook-Timestamp', untimely, withTime('hidden', 'noon')],
  ['timestamp-body', 'no readable time in X-Webhook-Timestamp', untimely, withTime('hidden', '2023-13-45 22:13:20')],
  ['timestamp-body', tooLongAgo('X-Webhook-Timestamp'), untimely, withTime('hidden', '1600000000')],
  ['timestamp-body', tooLongAgo('X-Webhook-Signature'), untimely, inHeader('t=1600000000,v1=hidden')],
  ['standard', 'no webhook-id header', missing, ofStandard('hidden', '')],
  ['standard', 'no webhook-signature header', missing, ofStandard('')],
  ['standard', 'no webhook-timestamp header', untimely, ofStandard('hidden', 'msg_1', '')],
  ['standard', 'webhook-signature does not match', mismatch, ofStandard('hidden')],
  ['timestamp-secret', 'no X-Webhook-Signature header', missing, {}],
  ['timestamp-secret', 'no X-Webhook-Timestamp header', untimely, inHeader('hidden')],
  ['timestamp-secret', notFitting, mismatch, withTime('hidden')],
  ['body', compressed, mismatch, { ...inHeader('hidden'), 'content-encoding': 'gzip' }],
  ['body', notFitting, mismatch, { ...inHeader('hidden'), 'content-encoding': 'Identity' }],
  ['body', notFitting, mismatch, ofType('application/json')],
  ['body', notFitting, mismatch, ofType('application/json; charset=utf-8')],
  ['body', notFitting, mismatch, ofType('text/plain; Charset="UTF8"')],
  ['body', notFitting, mismatch, ofType('text/plain;charset=us-ascii')],
  ['body', inOtherLetters, mismatch, ofType('application/json; charset="utf-16"')],
  ['body', inOtherLetters, mismatch, ofType('text/plain; charset=x-utf-8')],
  ['body', inOtherLetters, mismatch, ofType('text/plain; charset=utf-8-mac')],
])('who sets up the scheme “%s” reads “%s”, and no value', (scheme, problem, reason, headers) => {
  expect(verify(headers, by(scheme))).toEqual({ accepted: false, reason, tried: [{ scheme, problem }] });
});

test('several schemes refuse what none of them accepts, with what each lacks and the reason that says most', () => {
  const schemes = ['timestamp-secret', 'body', 'standard'] as const;
  expect(verify({ ...inHeader('hidden'), 'webhook-id': 'msg_1' }, { schemes })).toEqual({
    accepted: false,
    reason: mismatch,
    tried: [
      { scheme: 'timestamp-secret', problem: 'no X-Webhook-Timestamp header' },
      { scheme: 'body', problem: notFitting },
      { scheme: 'standard', problem: 'no webhook-signature header' },
    ],
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
    'Tue 14 Nov 2023 22:13:20 GMT',
    '11/14/2023 10:13:20PM',
    '2023-11-14T22:13:20,123Z',
    '638355968000000000',
    '638355716000000000',
    '133444736000000000',
    '/Date(1700000000000)/',
    '/Date(1700000000000+0000)/',
  ])('can be %s', (text) => {
    expect(check(text)).toBe(true);
    expect([check(text, { offMs: 302_000 }), check(text, { offMs: -302_000 })]).toEqual([false, false]);
  });

  test.each(Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 14, 22, 13, 20)))(
    'has a month by its name: %d',
    (at) => {
      // As in “Tue, 14 Nov 2023 22:13:20 GMT”.
      expect(check(new Date(at).toUTCString(), { offMs: at - nowMs })).toBe(true);
    },
  );

  test('is read the same in whatever zone the bot runs, and can be without its seconds', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(0).getHours()).toBe(9);
    for (const text of ['2023-11-14 22:13', '2023-11-14 22:13Z', '14 Nov 2023 22:13 GMT'])
      expect([check(text), check(text, { offMs: 301_000 })]).toEqual([true, false]);
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
    '!2023-11-14 22:13:20Z',
    '2023-11-14 22:13:20Z!',
    '20231114221320x',
    'x638355968000000000',
    '638355968000000000x',
    ' '.repeat(10_000),
  ])('cannot be “%s”', (text) => {
    expect(check(text)).toBe(false);
  });
});
