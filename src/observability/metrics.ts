import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** What `/metrics` tells Prometheus. One registry an app, so that two apps in one process do not mix. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Whoever can reach the port can read this: what runs here is no business of theirs.
  registry.removeSingleMetric('nodejs_version_info');
  const registers = [registry];
  return {
    registry,
    webhooks: new Counter({
      name: 'invigilator_webhooks_total',
      help: 'Webhooks by what became of them; missed: it never came, the bot found what it would have told',
      labelNames: ['outcome'],
      registers,
    }),
    alerts: new Counter({
      name: 'invigilator_alerts_total',
      help: 'Tries to post an alert, by what Slack said',
      labelNames: ['outcome'],
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
    /** Slack gives up after 3 seconds. */
    acknowledgements: new Histogram({
      name: 'invigilator_slack_acknowledgement_seconds',
      help: 'From a request of Slack being read to its acknowledgement, by kind of request',
      labelNames: ['kind'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
      registers,
    }),
    slackCalls: new Histogram({
      name: 'invigilator_slack_call_seconds',
      help: 'Calls of Slack by method',
      labelNames: ['method'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    slackErrors: new Counter({
      name: 'invigilator_slack_errors_total',
      help: 'Calls of Slack that failed, by method and error code',
      labelNames: ['method', 'code'],
      registers,
    }),
  };
}
