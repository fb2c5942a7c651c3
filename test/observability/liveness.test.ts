import { describe, expect, test } from 'vitest';
import { createEventLoopWatch, createHealthRoute, type EventLoopWatch } from '../../src/observability/liveness.ts';
import { askRoute as ask } from '../support/loopback.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createProcessMetrics } from '../../src/observability/metrics.ts';
import { metricIn } from '../support/measurements.ts';
import { eventually } from '../support/watchdog.ts';

describe('/healthz', () => {
  const delayed = (ms: number): EventLoopWatch => ({ longestDelayMs: () => ms, start() {}, stop() {} });

  test('tells how long the process was held up of late', async () => {
    expect(await ask(createHealthRoute({ eventLoop: delayed(12.4) }).handle)).toMatchObject({
      status: 200,
      body: { alive: true, eventLoopDelayMs: 12 },
    });
  });

  test('a process that was held up for very long and answers now is well', async () => {
    expect(await ask(createHealthRoute({ eventLoop: delayed(15_000) }).handle)).toMatchObject({
      status: 200,
      body: { alive: true, eventLoopDelayMs: 15_000 },
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
  function watch(onHeldUp: (ms: number) => void = () => {}) {
    let time = 0;
    let look = () => {};
    const watching = createEventLoopWatch({ onHeldUp, clock: () => time, repeat: (run) => ((look = run), () => {}) });
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

  test('tells each delay of a second or longer once, for the metrics', () => {
    const heldUp: number[] = [];
    const { comesLate } = watch((ms) => heldUp.push(ms));
    for (const ms of [999, 13_000, 3, 1_000]) comesLate(ms);
    expect(heldUp).toEqual([13_000, 1_000]);
  });

  test('a delay counts before the next look has come', () => {
    let time = 0;
    const watching = createEventLoopWatch({ clock: () => time, repeat: () => () => {} });
    watching.start();
    time = 4_500;
    expect(watching.longestDelayMs()).toBe(4_000);
  });
});

const heldUpMs = 150;

function holdUp(): void {
  for (const until = performance.now() + heldUpMs; performance.now() < until;);
}

test('the metrics tell the longest turn of the event loop since they were asked for last', async () => {
  const { registry } = createProcessMetrics('1.2.3');
  const longestMs = async () => 1_000 * metricIn(await registry.metrics(), 'nodejs_eventloop_lag_max_seconds');
  await nextTurn();
  holdUp();
  await nextTurn();
  await nextTurn();
  const first = await longestMs();
  expect(first).toBeGreaterThanOrEqual(heldUpMs * 0.9);
  // A busy machine can hold it up again.
  await eventually(async () => {
    await nextTurn();
    expect(await longestMs()).toBeLessThan(first);
  });
});

test('the lag of the event loop is told by three gauges, and by none of the client library’s own', async () => {
  const { registry } = createProcessMetrics('1.2.3');
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names.filter((name) => name.includes('eventloop'))).toEqual([
    'nodejs_eventloop_lag_p50_seconds',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_eventloop_lag_max_seconds',
  ]);
});
