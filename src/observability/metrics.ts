import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { longestTimerMs } from '../time/clock.ts';

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
  const metrics = {
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
  for (const outcome of outcomes.webhooks) metrics.webhooks.inc({ outcome }, 0);
  for (const outcome of outcomes.alerts) metrics.alerts.inc({ outcome }, 0);
  return metrics;
}

/** The metrics of the process, however many bots it runs. */
export function createProcessMetrics(version: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, ...noSamples });
  addEventLoopLag(registry);
  // Anyone who reaches the port can read the metrics: they do not show which version of Node runs.
  registry.removeSingleMetric('nodejs_version_info');
  const registers = [registry];
  new Gauge({
    name: 'invigilator_build_info',
    help: 'Always 1; the label is the version of the bot',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  return {
    registry,
    heldUpSeconds: new Counter({
      name: 'invigilator_held_up_seconds_total',
      help: 'Time in which the process could do nothing for a second or longer, such as on a frozen host',
      registers,
    }),
  };
}

/** For `collectDefaultMetrics`, whose own histogram wakes the process a hundred times a second: it is never to take a sample. */
const noSamples = { eventLoopMonitoringPrecision: longestTimerMs };

/** The gauges of prom-client's own histogram. */
const withoutSamples = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'];

const nameOf = (part: string) => `nodejs_eventloop_lag${part}_seconds`;

/**
 * Measures how long turns of the event loop take, since the metrics were asked for last. An idle process is not woken for it,
 * except on Node 24, which does not know `samplePerIteration` and looks every 10 ms.
 */
function addEventLoopLag(registry: Registry): void {
  for (const part of withoutSamples) registry.removeSingleMetric(nameOf(part));
  const histogram = monitorEventLoopDelay({ samplePerIteration: true });
  histogram.enable();
  const help = 'Time that a turn of the event loop took, during which everything else waited';
  const gauges = { _p50: 50, _p99: 99, _max: 100 };
  for (const [part, percentile] of Object.entries(gauges)) {
    const gauge = new Gauge({
      name: nameOf(part),
      help,
      registers: [],
      collect() {
        this.set(histogram.percentile(percentile) / 1e9);
        // The last one that is asked.
        if (part === '_max') histogram.reset();
      },
    });
    registry.registerMetric(gauge);
  }
}
