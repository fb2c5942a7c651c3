import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createProcessMetrics } from '../../src/observability/metrics.ts';
import { metricIn } from '../support/measurements.ts';
import { eventually } from '../support/watchdog.ts';

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
