import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Outcomes whose series begin at 0. A series that begins with its first event hides that event from `increase()`, and each of these
 * has an alarm for one event.
 */
const outcomes = {
  webhooks: ['taken', 'known', 'backfilled', 'set_aside', 'signature', 'malformed', 'too_large', 'not_remembered'],
  alerts: ['dropped', 'set_aside'],
} as const;

/** Makes metrics in a registry. One that another tenant has made there is the same for both. */
export function metricsIn(registry: Registry) {
  const registers = [registry];
  const made = <Made>(name: string, make: () => Made) => (registry.getSingleMetric(name) as Made | undefined) ?? make();
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      made(name, () => new Counter({ name, help, labelNames, registers })),
    gauge: (name: string, help: string, ...labelNames: string[]) =>
      made(name, () => new Gauge({ name, help, labelNames, registers })),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      made(name, () => new Histogram({ name, help, buckets, labelNames, registers })),
  };
}

/** Seconds of calls of others. */
export const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics of a bot. Each bot has its own registry, so that two bots in one process do not mix; adapters add theirs.
 *
 * @param labels what every series of the bot carries
 * @param shared where tenants add up what would be many series for each. Default: the bot’s own
 */
export function createMetrics(labels: Readonly<Record<string, string>> = {}, shared?: Registry) {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  const own = metricsIn(registry);
  const summed = metricsIn(shared ?? registry);
  return {
    registry,
    shared: shared ?? registry,
    webhooks: own.counter(
      'invigilator_webhooks_total',
      'Webhooks by outcome; backfilled: the webhook never came, and the bot found its submission; set_aside: each try to announce it failed',
      'outcome',
    ),
    alerts: own.counter('invigilator_alerts_total', 'Attempts to post an alert, by outcome', 'outcome'),
    backfillLag: own.gauge(
      'invigilator_backfill_lag_seconds',
      'Since the quiz with recent submissions that waits longest was compared with the webhooks that came',
    ),
    quizUnreadable: own.gauge(
      'invigilator_quiz_unreadable_records',
      'Records of the quiz service that the latest reading of their list left out because they could not be read, by list',
      'list',
    ),
    directMessages: summed.counter(
      'invigilator_direct_messages_total',
      'Direct messages to respondents by outcome: posted, an error code, or why there is nobody to write to',
      'outcome',
    ),
    operations: summed.counter(
      'invigilator_operations_total',
      'Operations by name and outcome',
      'operation',
      'outcome',
    ),
    quizCalls: summed.counter(
      'invigilator_quiz_calls_total',
      'Calls of the quiz service by operation and status; error: there was no response',
      'operation',
      'status',
    ),
    quizCallSeconds: summed.histogram(
      'invigilator_quiz_call_seconds',
      'Time for a call of the quiz service, without the wait for its turn',
      callBuckets,
    ),
    clockJumps: summed.counter(
      'invigilator_clock_jumps_total',
      'Times that the clock of the machine was set by more than 30 seconds',
    ),
  };
}

/** Begins the series that alarms need, at 0. */
export function beginSeries(metrics: Pick<Metrics, keyof typeof outcomes>): void {
  for (const outcome of outcomes.webhooks) metrics.webhooks.inc({ outcome }, 0);
  for (const outcome of outcomes.alerts) metrics.alerts.inc({ outcome }, 0);
}
