import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of the core. Each app has its own registry, so that two apps in one process do not mix; adapters add theirs. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Anyone who reaches the port can read the metrics: they do not show which version runs.
  registry.removeSingleMetric('nodejs_version_info');
  const registers = [registry];
  return {
    registry,
    webhooks: new Counter({
      name: 'invigilator_webhooks_total',
      help: 'Webhooks by outcome; backfilled: the webhook never came, and the bot found its submission; set_aside: each try to announce it failed',
      labelNames: ['outcome'],
      registers,
    }),
    alerts: new Counter({
      name: 'invigilator_alerts_total',
      help: 'Attempts to post an alert, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    directMessages: new Counter({
      name: 'invigilator_direct_messages_total',
      help: 'Direct messages to respondents by outcome: posted, an error code, or why there is nobody to write to',
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
    clockJumps: new Counter({
      name: 'invigilator_clock_jumps_total',
      help: 'Times that the clock of the machine was set by more than 30 seconds',
      registers,
    }),
    quizUnreadable: new Gauge({
      name: 'invigilator_quiz_unreadable_records',
      help: 'Records of the quiz service that the latest reading of their list left out because they could not be read, by list',
      labelNames: ['list'],
      registers,
    }),
  };
}
