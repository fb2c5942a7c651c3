import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../../../src/sandbox/quiz-service/database.ts';
import type { WebhookCall } from '../../../../src/sandbox/quiz-service/face.ts';
import {
  redeliveryDelaysMs,
  type SendWebhook,
  startDelivery,
} from '../../../../src/sandbox/quiz-service/webhooks/delivery.ts';
import { addDeliveries, addWebhook, countDeliveries } from '../../../../src/sandbox/quiz-service/webhooks/webhooks.ts';

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

const attemptOf = ({ body }: WebhookCall): number => JSON.parse(body).delivery_attempt;

test('a failed delivery is repeated after growing delays until the service gives up', async () => {
  const attempts: number[] = [];
  const { clock, database, start, submit } = setUp(async (call) => {
    attempts.push(attemptOf(call));
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
  expect(countDeliveries(database, 'hook-1')).toEqual({ pending: 0, delivered: 0, given_up: 1, last_failure: '500' });
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
  const failures: (string | null)[] = [];
  delivery.wake();
  for (let i = 0; i < 3; i += 1) {
    await settle();
    failures.push(countDeliveries(database, 'hook-1').last_failure);
    clock.advance();
  }
  expect(failures).toEqual(['ECONNREFUSED', 'no answer in time', null]);
  expect(countDeliveries(database, 'hook-1')).toMatchObject({ pending: 0, delivered: 1 });
});

test('a hanging webhook has at most eight deliveries in flight and does not delay other webhooks', async () => {
  const sent: string[] = [];
  const { start, submit } = setUp(
    (call) => {
      sent.push(call.url);
      return call.url === 'http://slow.example' ? new Promise(() => {}) : Promise.resolve(200);
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
      (call, signal) =>
        new Promise((_, reject) => {
          attempts.push(attemptOf(call));
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    submit('one');
    const first = start();
    await first.close();
    expect(countDeliveries(database, 'hook-1')).toMatchObject({ pending: 1 });
    await start().close();
    expect(attempts).toEqual([1, 2]);
  });

  test('a delivery in flight at a crash is repeated when it is due', async () => {
    const attempts: number[] = [];
    const { clock, start, submit } = setUp(async (call) => {
      attempts.push(attemptOf(call));
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

  test('only the attempt number of the event changes', async () => {
    const bodies: string[] = [];
    const { clock, start, submit } = setUp(async (call) => {
      bodies.push(call.body);
      return bodies.length < 3 ? 503 : 200;
    });
    submit('one');
    start();
    await settle();
    while (clock.advance() !== undefined) await settle();
    expect(bodies.map((body) => JSON.parse(body))).toEqual(
      [1, 2, 3].map((attempt) => ({
        event_id: 'one',
        event_type: 'response.submitted',
        delivery_attempt: attempt,
        event_date: '2026-01-01 00:00:00',
        data: { name: 'one' },
      })),
    );
  });
});

test('removing a webhook drops its pending deliveries', async () => {
  const { database, clock, start, submit } = setUp(async () => 500);
  submit('one');
  const delivery = start();
  await settle();
  database.run('DELETE FROM webhooks');
  delivery.wake();
  expect(clock.advance()).toBeUndefined();
});
