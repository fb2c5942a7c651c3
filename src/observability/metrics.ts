import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** What `/metrics` tells Prometheus. One registry an app, so that two apps in one process do not mix. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    webhooks: new Counter({
      name: 'invigilator_webhooks_total',
      help: 'Webhook deliveries by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    alerts: new Counter({
      name: 'invigilator_alerts_total',
      help: 'Tries to post an alert, by what Slack said',
      labelNames: ['outcome'],
      registers,
    }),
    alertsWaiting: new Gauge({
      name: 'invigilator_alerts_waiting',
      help: 'Alerts taken and not posted yet',
      registers,
    }),
    operations: new Counter({
      name: 'invigilator_operations_total',
      help: 'Operations by name and outcome',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    quizCalls: new Histogram({
      name: 'invigilator_quiz_call_seconds',
      help: 'Calls of the quiz service by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  };
}
