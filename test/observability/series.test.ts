import { expect, test } from 'vitest';
import { createMetrics, createProcessMetrics } from '../../src/observability/metrics.ts';
import { joinFamilies } from '../../src/observability/scrape.ts';
import { createSlackMetrics, createSocketMetrics } from '../../src/slack/metrics.ts';

test('counters with an alarm for one event, and those of Socket Mode, have their series before the first event', async () => {
  const { registry } = createMetrics();
  createSlackMetrics(registry);
  createSocketMetrics(registry);
  const text = joinFamilies(
    await Promise.all([registry, createProcessMetrics('1.2.3').registry].map((one) => one.metrics())),
  );
  for (const series of [
    'invigilator_webhooks_total{outcome="not_remembered"} 0',
    'invigilator_webhooks_total{outcome="set_aside"} 0',
    'invigilator_alerts_total{outcome="dropped"} 0',
    'invigilator_undelivered_messages_total{kind="approval_request"} 0',
    'invigilator_clock_jumps_total 0',
    'invigilator_held_up_seconds_total 0',
    'invigilator_slack_socket_connected 0',
    'invigilator_slack_socket_reconnects_total 0',
  ]) {
    expect(text.split('\n')).toContain(series);
  }
});
