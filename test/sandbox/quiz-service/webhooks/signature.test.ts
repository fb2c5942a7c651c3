import { describe, expect, test } from 'vitest';
import { signatureHeaders, type SignatureScheme } from '../../../../src/sandbox/quiz-service/webhooks/webhooks.ts';

const call = {
  secret: 'hush',
  eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  timestamp: 1614265330,
};

const sign = (scheme: SignatureScheme, secret: string | null = call.secret) =>
  signatureHeaders({ ...call, scheme, secret });

// The expected values come from `openssl dgst -sha256 -hmac hush`.
describe('a signature', () => {
  test('of the scheme body covers the body', () => {
    expect(sign('body')).toEqual({
      'x-webhook-signature': '192324a2e62af75d17096ef005e8976075b52a199873f2f7c63e61e6bdbacf0e',
    });
  });

  test('of the scheme timestamp-body covers timestamp and body', () => {
    expect(sign('timestamp-body')).toEqual({
      'x-webhook-timestamp': '1614265330',
      'x-webhook-signature': '99f927d90c6f9fdb74fea52430ac701589652edd4ebb65d408a6c37bd8d20ae1',
    });
  });

  test('of the scheme timestamp-secret covers timestamp and secret', () => {
    expect(sign('timestamp-secret')).toEqual({
      'x-webhook-timestamp': '1614265330',
      'x-webhook-signature': 'b827a90fcc5c7b140af8afd071623a666b94cb0982b83426246d6797077caf54',
    });
  });

  test('of Standard Webhooks matches their own test suite', () => {
    expect(sign('standard', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('of Standard Webhooks uses a secret without whsec_ as bytes', () => {
    expect(sign('standard')['webhook-signature']).toBe('v1,CyVCjOtga/p1bhnGx2aBxN4pSXneruddhYBmNE/2Cbw=');
  });

  test.each([
    ['body', []],
    ['timestamp-body', ['x-webhook-timestamp']],
    ['timestamp-secret', ['x-webhook-timestamp']],
    ['standard', ['webhook-id', 'webhook-timestamp']],
  ] as const)('of the scheme %s is left out without a secret', (scheme, headers) => {
    expect(Object.keys(sign(scheme, null))).toEqual(headers);
  });
});
