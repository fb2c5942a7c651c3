import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEventLoopWatch, type EventLoopWatch } from '../../src/observability/health.ts';
import { createHealthRoute, createReadinessRoute, type Check } from '../../src/observability/health.ts';
import { listenOnLoopback } from '../support/loopback.ts';

async function ask(
  route: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ status: number; body: unknown; text: string }> {
  const server = createServer((request, response) => void route(request, response));
  onTestFinished(() => void server.close());
  const response = await fetch(await listenOnLoopback(server));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

const well: Check = { ask: async () => {}, otherwise: 'the store cannot be used' };

describe('/readyz', () => {
  test('is 200 when everything is well; what is only a note decides nothing', async () => {
    const { status, body } = await ask(
      createReadinessRoute({ checks: { store: well }, notes: () => ({ quizService: 'did not answer' }) }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({ ready: true, store: 'ok', quizService: 'did not answer' });
  });

  test('says what is wrong in words and reveals only the name of the error', async () => {
    const refused = Object.assign(new Error('auth.test with xoxb-canary failed'), {
      code: 'slack_webapi_platform_error',
      data: { ok: false, error: 'invalid_auth' },
    });
    const lost = Object.assign(new Error('connect ECONNREFUSED redis://:canary@10.0.0.1'), { code: 'ECONNREFUSED' });
    const { status, body, text } = await ask(
      createReadinessRoute({
        checks: {
          store: { ...well, ask: () => Promise.reject(lost) },
          slack: { ask: () => Promise.reject(refused), otherwise: 'Slack cannot be used' },
        },
      }),
    );
    expect(status).toBe(503);
    expect(body).toEqual({
      ready: false,
      store: 'the store cannot be used (ECONNREFUSED)',
      slack: 'Slack cannot be used (invalid_auth)',
    });
    expect(text).not.toContain('canary');
  });

  test('answers though a check hangs, and asks it once for all who ask meanwhile', async () => {
    let asked = 0;
    const hanging: Check = { ask: () => new Promise(() => (asked += 1)), otherwise: 'Slack cannot be used' };
    const route = createReadinessRoute({ checks: { store: well, slack: hanging }, timeoutMs: 20 });
    const answers = [await ask(route), await ask(route)];
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect(body).toEqual({ ready: false, store: 'ok', slack: 'Slack cannot be used (it does not answer in time)' });
    }
    expect(asked).toBe(1);
  });

  test('asks again after a check has ended, and survives one that throws at once', async () => {
    let asked = 0;
    const route = createReadinessRoute({
      checks: {
        store: {
          ask: () => {
            asked += 1;
            if (asked === 1) throw new Error('at once');
            return Promise.resolve();
          },
          otherwise: 'the store cannot be used',
        },
      },
    });
    expect((await ask(route)).body).toEqual({ ready: false, store: 'the store cannot be used (Error)' });
    expect((await ask(route)).status).toBe(200);
  });

  test('a bot that is shutting down is not ready, and says so', async () => {
    const { status, body } = await ask(createReadinessRoute({ checks: { store: well }, isStopping: () => true }));
    expect(status).toBe(503);
    expect(body).toEqual({ ready: false, bot: 'is shutting down', store: 'ok' });
  });
});

describe('/healthz', () => {
  const delayed = (ms: number): EventLoopWatch => ({ longestDelayMs: () => ms, start() {}, stop() {} });

  test('tells how long the process was held up of late', async () => {
    expect(await ask(createHealthRoute({ eventLoop: delayed(12.4) }).handle)).toMatchObject({
      status: 200,
      body: { alive: true, eventLoopDelayMs: 12 },
    });
  });

  test('a process that was held up for very long is not well', async () => {
    expect(await ask(createHealthRoute({ eventLoop: delayed(15_000) }).handle)).toMatchObject({
      status: 503,
      body: { alive: false, eventLoopDelayMs: 15_000 },
    });
  });
});

describe('/healthz and load balancers', () => {
  test('while the bot stops, it is 503, so that no request comes any more', async () => {
    const { handle } = createHealthRoute({ eventLoop: { longestDelayMs: () => 0 }, isStopping: () => true });
    expect(await ask(handle)).toMatchObject({ status: 503, body: { alive: true, bot: 'is shutting down' } });
  });

  test('two requests within 5 s come from a load balancer, and one every 5 s does not', async () => {
    let time = 0;
    const health = createHealthRoute({ eventLoop: { longestDelayMs: () => 0 }, now: () => time });
    const watchedAfter = async (waitMs: number) => {
      time += waitMs;
      await ask(health.handle);
      return health.isWatched();
    };
    expect(health.isWatched()).toBe(false);
    expect([await watchedAfter(0), await watchedAfter(5_000), await watchedAfter(1_000)]).toEqual([false, false, true]);
    time += 4_000;
    expect(health.isWatched()).toBe(false);
  });
});

describe('the watch of the event loop', () => {
  function watch() {
    let time = 0;
    let look = () => {};
    const watching = createEventLoopWatch({ clock: () => time, every: (_ms, run) => ((look = run), () => {}) });
    watching.start();
    /** The next look comes so much late. */
    const comesLate = (ms: number) => {
      time += 500 + ms;
      look();
    };
    return { watching, comesLate };
  }

  test('remembers the longest delay for half a minute', () => {
    const { watching, comesLate } = watch();
    expect(watching.longestDelayMs()).toBe(0);
    for (const ms of [3, 900, 20]) comesLate(ms);
    expect(watching.longestDelayMs()).toBe(900);
    for (let looks = 0; looks < 60; looks += 1) comesLate(1);
    expect(watching.longestDelayMs()).toBeLessThan(900);
  });

  test('a delay counts before the next look has come', () => {
    let time = 0;
    const watching = createEventLoopWatch({ clock: () => time, every: () => () => {} });
    watching.start();
    time = 4_500;
    expect(watching.longestDelayMs()).toBe(4_000);
  });
});
