import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkSample, expectedWebhook } from '../../../src/features/webhooks/diagnose.ts';
import type { SignatureRule } from '../../../src/features/webhooks/signature.ts';
import { eventBody, sign, webhookSecret } from '../../support/event.ts';

const nowMs = Date.UTC(2026, 10, 2, 8);
const rule: SignatureRule = {
  schemes: ['body'],
  secrets: [webhookSecret],
  allowsUnsigned: false,
  signatureHeader: 'X-Proof',
  timestampHeader: 'X-Time',
  timeZone: 'UTC',
};

test.each<[rule: Partial<SignatureRule>, state: string, text: RegExp]>([
  [{ secrets: [] }, 'fault', /^WEBHOOK_SECRET is not set, so every webhook is refused/],
  [{ secrets: [], allowsUnsigned: true }, 'unknown', /^WEBHOOK_ALLOW_UNSIGNED is true/],
  [{}, 'right', /^the scheme body expects HMAC-SHA256 of the body in X-Proof$/],
  [
    { schemes: ['timestamp-body'] },
    'right',
    /“\{timestamp\}\.\{body\}” in X-Proof, with the time in X-Time or as t=…,v1=…/,
  ],
  [{ schemes: ['standard'] }, 'right', /webhook-id, webhook-timestamp and webhook-signature/],
  [{ schemes: ['timestamp-secret'] }, 'right', /“\{timestamp\} \{secret\}” in X-Proof, with the time in X-Time$/],
])('the doctor says how webhooks must be signed: %j', (changed, state, text) => {
  expect(expectedWebhook({ ...rule, ...changed })).toEqual([{ state, text: expect.stringMatching(text) }]);
});

describe('a recorded webhook', () => {
  const body = eventBody();
  const time = '2018-11-02 00:05:47';
  const hmacOf = (text: string) => createHmac('sha256', webhookSecret).update(text).digest('hex');
  const signed = { 'X-Proof': sign(body) };
  const withTime = { 'X-Time': time, 'X-Proof': hmacOf(`${time}.${body}`) };
  const elsewhere = { Signed: hmacOf(`${time} ${webhookSecret}`), At: time };
  const write = (headers: object, text = body, lineEnd = '\n') =>
    [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', text].join(lineEnd);
  const isEvent = ['right', 'the body names a quiz and a response'];
  const isRight = ['right', 'the signature of the sample is right (scheme body; its time was not checked)'];
  const fits = (settings: string) => ['fault', `the sample matches another setting: set ${settings}`];
  const fitsNothing = (problems: string) => [
    'fault',
    `the sample matches no scheme with WEBHOOK_SECRET (${problems}): copy the secret again, and record headers and body as they came`,
  ];

  test.each<[what: string, sample: string, findings: string[][], rule?: Partial<SignatureRule>]>([
    ['as it came', write(signed), [isRight, isEvent]],
    [
      'behind blank lines and a request line',
      `\n \nPOST /webhooks/quiz HTTP/1.1\r\n${write(signed, body, '\r\n')}`,
      [isRight, isEvent],
    ],
    ['with a line break of an editor at its end', `${write(signed)}\r\n`, [isRight, isEvent]],
    ['with a signed line break at its end', write({ 'X-Proof': sign(`${body}\n`) }, `${body}\n`), [isRight, isEvent]],
    ['with blanks around a value', write({ 'x-PROOF': ` \t${sign(body)} \t` }), [isRight, isEvent]],
    [
      'with blank lines in its body',
      write({ 'X-Proof': sign(`{\n\n${body.slice(1)}`) }, `{\n\n${body.slice(1)}`),
      [isRight, isEvent],
    ],
    [
      'of long ago',
      write(withTime),
      [['right', 'the signature of the sample is right (scheme timestamp-body; its time was not checked)'], isEvent],
      { schemes: ['body', 'timestamp-body'] },
    ],
    ['of another scheme', write(withTime), [fits('WEBHOOK_SCHEME=timestamp-body'), isEvent]],
    ['in another header', write({ 'X-Hub': sign(body) }), [fits('WEBHOOK_SIGNATURE_HEADER=x-hub'), isEvent]],
    [
      'with another scheme and headers',
      write(elsewhere),
      [
        fits('WEBHOOK_SCHEME=timestamp-secret and WEBHOOK_SIGNATURE_HEADER=signed and WEBHOOK_TIMESTAMP_HEADER=at'),
        isEvent,
      ],
    ],
    [
      'with another secret',
      write({ 'X-Proof': hmacOf('another') }),
      [fitsNothing('body: X-Proof does not match'), isEvent],
    ],
    [
      'that no scheme fits',
      write({ Accept: '*/*' }),
      [fitsNothing('body: no X-Proof header; standard: no webhook-id header'), isEvent],
      { schemes: ['body', 'standard'] },
    ],
    [
      'while no secret is set',
      write(signed),
      [['unknown', 'the signature of the sample was not checked: no secret is set'], isEvent],
      { secrets: [] },
    ],
    [
      'of another type',
      write({ 'X-Proof': sign('{"event_type":"user.created"}') }, '{"event_type":"user.created"}'),
      [isRight, ['right', 'the body is an event that the bot accepts and does not announce']],
    ],
    [
      'that is no event',
      write({ 'X-Proof': sign('hello') }, 'hello'),
      [isRight, ['fault', 'the body of the sample is refused: the body is not JSON. Record it as it came']],
    ],
    [
      'without headers',
      body,
      [['fault', 'the sample has no headers: give it the headers, an empty line and the body, as they came']],
    ],
    [
      'without a body',
      write(signed, ''),
      [['fault', 'the sample has no body: put an empty line between headers and body']],
    ],
  ])('%s', (_, sample, findings, changed) => {
    const said = checkSample({ ...rule, ...changed }, sample, nowMs);
    expect(said.map(({ state, text }) => [state, text])).toEqual(findings);
    expect(JSON.stringify(said)).not.toContain(webhookSecret);
  });
});
