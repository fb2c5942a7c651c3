import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '../../../../src/sandbox/quiz-service/database.ts';
import type { WebhookCall } from '../../../../src/sandbox/quiz-service/face.ts';
import {
  redeliveryDelaysMs,
  startDelivery,
  type SendWebhook,
} from '../../../../src/sandbox/quiz-service/webhooks/delivery.ts';
import {
  addDeliveries,
  addWebhook,
  signatureHeaders,
  type SignatureScheme,
} from '../../../../src/sandbox/quiz-service/webhooks/webhooks.ts';
import { startReceiver, aUuid, call, get, openQuiz } from '../support/service.ts';
import { takeAsGuest } from '../support/respondent.ts';

const startMs = Date.UTC(2026, 0, 1);

/** A timer that runs its callback when the test advances the time. */
function createClock() {
  let time = startMs;
  let timer: { run: () => void; atMs: number } | undefined;
  return {
    now: () => time,
    startTimer(run: () => void, delayMs: number) {
      timer = { run, atMs: time + delayMs };
      return () => {
        timer = undefined;
      };
    },
    /** Advances to the next due time. @returns the ms that passed, or undefined without a timer */
    advance(): number | undefined {
      if (!timer) return undefined;
      const { run, atMs } = timer;
      const passedMs = atMs - time;
      time = atMs;
      timer = undefined;
      run();
      return passedMs;
    },
  };
}

const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function setUp(send: SendWebhook, urls = ['http://a.example']) {
  const database = openDatabase(':memory:');
  const clock = createClock();
  urls.forEach((url, i) => addHook(database, `hook-${i + 1}`, url));
  const errors: unknown[] = [];
  const start = () => startDelivery({ database, send, ...clock, reportError: (error) => errors.push(error) });
  const submit = (name: string) => {
    addDeliveries(database, {
      event_id: name,
      event_type: 'response.submitted',
      occurredMs: clock.now(),
      data: { name },
    });
  };
  onTestFinished(() => expect(errors).toEqual([]));
  return { database, clock, start, submit };
}

function addHook(database: Database, webhookId: string, url: string): void {
  addWebhook(database, {
    webhook_id: webhookId,
    url,
    secret: null,
    scheme: 'body',
    events: ['response.submitted'],
    date_created: '',
  });
}

/** The state of the only delivery. */
const stateOf = (database: Database) => database.get('SELECT state, last_result FROM deliveries');

const attemptOf = ({ body }: WebhookCall): number => JSON.parse(body).delivery_attempt;

test('a failed delivery is repeated after growing delays until the service gives up', async () => {
  const attempts: number[] = [];
  const { clock, database, start, submit } = setUp(async (sending) => {
    attempts.push(attemptOf(sending));
    return 500;
  });
  const delivery = start();
  submit('one');
  delivery.wake();
  await settle();
  const waits: number[] = [];
  for (let waited = clock.advance(); waited !== undefined; waited = clock.advance()) {
    waits.push(waited);
    await settle();
  }
  expect(waits).toEqual(redeliveryDelaysMs);
  expect(attempts).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  expect(stateOf(database)).toEqual({ state: 'given_up', last_result: '500' });
});

test('a delivery without a response counts as failed', async () => {
  const outcomes = [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), new DOMException('late', 'TimeoutError')];
  const { clock, database, start, submit } = setUp(async () => {
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
    return 200;
  });
  const delivery = start();
  submit('one');
  const results: unknown[] = [];
  delivery.wake();
  for (let i = 0; i < 3; i += 1) {
    await settle();
    results.push(stateOf(database));
    clock.advance();
  }
  expect(results).toEqual([
    { state: 'pending', last_result: 'ECONNREFUSED' },
    { state: 'pending', last_result: 'no answer in time' },
    { state: 'delivered', last_result: '200' },
  ]);
});

test('a hanging webhook has at most eight deliveries in flight and does not delay other webhooks', async () => {
  const sent: string[] = [];
  const { start, submit } = setUp(
    (sending) => {
      sent.push(sending.url);
      return sending.url === 'http://slow.example' ? new Promise(() => {}) : Promise.resolve(200);
    },
    ['http://slow.example', 'http://quick.example'],
  );
  for (let i = 0; i < 20; i += 1) submit(`event ${i}`);
  start();
  for (let i = 0; i < 20; i += 1) await settle();
  expect(sent.filter((url) => url === 'http://quick.example').length).toBe(20);
  expect(sent.filter((url) => url === 'http://slow.example').length).toBe(8);
});

describe('after a restart', () => {
  test('an aborted delivery is repeated at once and counts as another attempt', async () => {
    const attempts: number[] = [];
    const { database, start, submit } = setUp(
      (sending, signal) =>
        new Promise((_, reject) => {
          attempts.push(attemptOf(sending));
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    submit('one');
    const first = start();
    await first.close();
    expect(stateOf(database)).toMatchObject({ state: 'pending' });
    await start().close();
    expect(attempts).toEqual([1, 2]);
  });

  test('a delivery in flight at a crash is repeated when it is due', async () => {
    const attempts: number[] = [];
    const { clock, start, submit } = setUp(async (sending) => {
      attempts.push(attemptOf(sending));
      return attempts.length === 1 ? new Promise(() => {}) : 200;
    });
    submit('one');
    start();
    const second = start();
    await settle();
    expect(attempts).toEqual([1]);
    expect(clock.advance()).toBe(11_000);
    await settle();
    expect(attempts).toEqual([1, 2]);
    await second.close();
  });
});

const htmlQuiz = '<!channel> & <https://x|y>';

test('a submission sends the response without its access code to the webhook', async () => {
  const receiver = await startReceiver();
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, { webhook: { url: receiver.url, secret: 'hush' } });
  const responseId = await takeAsGuest(service, quiz_id, ['&amp;', 'True']);

  const [delivery] = await receiver.next(1);
  const { access_code, ...response } = await get(service, `/quizzes/${quiz_id}/responses/${responseId}`);
  expect(access_code).toBe('');
  expect(delivery?.event).toEqual({
    event_id: aUuid,
    event_type: 'response.submitted',
    delivery_attempt: 1,
    event_date: response.date_submitted,
    data: response,
  });
  expect(delivery?.body).toMatch(/"available_points":\d\.\d\d,/);
  expect(response).toMatchObject({
    status: 'submitted',
    quiz_name: htmlQuiz,
    points: 2.67,
    percentage_score: 67,
    pass: true,
  });
});

test('a delivery that does not get status 200 is repeated with the same event_id and a higher delivery_attempt', async () => {
  const receiver = await startReceiver((number) => [500, 204, 302, 200][number - 1] ?? 200);
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, {
    webhook: { url: receiver.url },
    redeliveryDelaysMs: [1, 1, 1, 1],
  });
  await takeAsGuest(service, quiz_id);

  const deliveries = await receiver.next(4);
  expect(deliveries.map(({ event }) => event.delivery_attempt)).toEqual([1, 2, 3, 4]);
  expect(new Set(deliveries.map(({ event }) => event.event_id)).size).toBe(1);
  expect(deliveries[0]?.headers['x-webhook-signature']).toBeUndefined();
});

test('operations of the REST interface send no events', async () => {
  const receiver = await startReceiver();
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, { webhook: { url: receiver.url } });
  await call(service, 'POST', `/quizzes/${quiz_id}`, { name: 'renamed' });
  const responses = await get(service, `/quizzes/${quiz_id}/responses`);
  await call(service, 'DELETE', `/quizzes/${quiz_id}/responses/${responses[0].response_id}`);
  const responseId = await takeAsGuest(service, quiz_id);

  const [first] = await receiver.next(1);
  expect(first?.event.data.response_id).toBe(responseId);
});

test('the configured webhook adopts a new endpoint, secret and scheme, and can be removed', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  const { service, quiz: quiz_id } = await openQuiz('<!channel> & <https://x|y>', {
    webhook: { url: first.url, secret: 'old' },
  });
  await takeAsGuest(service, quiz_id);
  const [before] = await first.next(1);
  expect(Object.keys(before?.headers ?? {})).toContain('x-webhook-signature');

  service.setWebhook({ url: second.url, secret: 'whsec_bmV3', scheme: 'standard' });
  await takeAsGuest(service, quiz_id);
  const [after] = await second.next(1);
  expect(after?.headers['webhook-id']).toBe(after?.event.event_id);
  expect(after?.headers['webhook-signature']).toMatch(/^v1,/);

  service.setWebhook(undefined);
  await takeAsGuest(service, quiz_id);
  expect(service.database.all('SELECT * FROM deliveries')).toEqual([]);
  expect([first.received.length, second.received.length]).toEqual([1, 1]);
});

const signedCall = {
  secret: 'hush',
  eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  timestamp: 1614265330,
};

const sign = (scheme: SignatureScheme, secret: string | null = signedCall.secret) =>
  signatureHeaders({ ...signedCall, scheme, secret });

// The expected values come from `openssl dgst -sha256 -hmac hush`.
describe('a signature', () => {
  test.each([
    [
      'the scheme body covers the body',
      sign('body'),
      { 'x-webhook-signature': '192324a2e62af75d17096ef005e8976075b52a199873f2f7c63e61e6bdbacf0e' },
    ],
    [
      'the scheme timestamp-body covers timestamp and body',
      sign('timestamp-body'),
      {
        'x-webhook-timestamp': '1614265330',
        'x-webhook-signature': '99f927d90c6f9fdb74fea52430ac701589652edd4ebb65d408a6c37bd8d20ae1',
      },
    ],
    [
      'the scheme timestamp-secret covers timestamp and secret',
      sign('timestamp-secret'),
      {
        'x-webhook-timestamp': '1614265330',
        'x-webhook-signature': 'b827a90fcc5c7b140af8afd071623a666b94cb0982b83426246d6797077caf54',
      },
    ],
    [
      'Standard Webhooks matches their own test suite',
      sign('standard', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
      {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    ],
    [
      'Standard Webhooks uses a secret without whsec_ as bytes',
      sign('standard'),
      expect.objectContaining({ 'webhook-signature': 'v1,CyVCjOtga/p1bhnGx2aBxN4pSXneruddhYBmNE/2Cbw=' }),
    ],
  ])('of %s', (_what, headers, expected) => {
    expect(headers).toEqual(expected);
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
