import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Known values of a label. A series that begins with its first event hides that event from `increase()`. */
const outcomes = {
  webhooks: [
    'taken',
    'known',
    'backfilled',
    'set_aside',
    'signature',
    'malformed',
    'too_large',
    'no_room',
    'cut_off',
    'method',
    'address',
    'not_remembered',
  ],
  alerts: ['posted', 'found', 'dropped', 'set_aside'],
  directMessages: ['posted', 'found', 'set_aside', 'turned_off', 'no_person', 'not_assigned', 'not_wanted', 'too_old'],
};

/**
 * The metrics of a bot. Each bot has its own registry, so that two bots in one process do not mix; adapters add theirs.
 *
 * @param labels what every series of the bot carries
 */
export function createMetrics(labels: Readonly<Record<string, string>> = {}) {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  const registers = [registry];
  const metrics = {
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
    quizCalls: new Counter({
      name: 'invigilator_quiz_calls_total',
      help: 'Calls of the quiz service by operation and status; error: there was no response',
      labelNames: ['operation', 'status'],
      registers,
    }),
    quizCallSeconds: new Histogram({
      name: 'invigilator_quiz_call_seconds',
      help: 'Time for a call of the quiz service, without the wait for its turn, by operation',
      labelNames: ['operation'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    clockJumps: new Counter({
      name: 'invigilator_clock_jumps_total',
      help: 'Times that the clock of the machine was set by more than 30 seconds',
      registers,
    }),
    backfillLag: new Gauge({
      name: 'invigilator_backfill_lag_seconds',
      help: 'Since the quiz with recent submissions that waits longest was compared with the webhooks that came',
      registers,
    }),
    quizUnreadable: new Gauge({
      name: 'invigilator_quiz_unreadable_records',
      help: 'Records of the quiz service that the latest reading of their list left out because they could not be read, by list',
      labelNames: ['list'],
      registers,
    }),
  };
  return metrics;
}

/** Begins the series whose labels are known, at 0. */
export function beginSeries(metrics: Pick<Metrics, keyof typeof outcomes>): void {
  for (const [name, values] of Object.entries(outcomes)) {
    for (const outcome of values) metrics[name as keyof typeof outcomes].inc({ outcome }, 0);
  }
}
