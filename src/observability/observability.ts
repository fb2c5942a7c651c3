import { randomUUID } from 'node:crypto';
import { createEventLoopWatch, type EventLoopWatch } from './liveness.ts';
import type { Log } from './log.ts';
import { beginSeries, createMetrics, type Metrics } from './metrics.ts';
import { createBeginWork, currentWork, noTracing, type BeginWork, type Tracing } from './tracing.ts';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { longestTimerMs } from '../time/clock.ts';

interface TracesOptions {
  /** An OTLP/HTTP endpoint; undefined switches tracing off. */
  endpoint: string | undefined;
  /** Sent with each batch of traces, such as the key of the receiver. */
  headers?: Readonly<Record<string, string>>;
  /** The proxy that leads to it; undefined: none. */
  proxy: string | undefined;
  /** The version of the bot. */
  version: string;
  timeoutMs: number;
}

/** What a process reports to, however many bots it runs. */
export interface ProcessObservability {
  log: Log;
  metrics: ProcessMetrics;
  tracing: Tracing;
  eventLoop: EventLoopWatch;
}

/** What the parts of a bot report to: metrics, traces and the current work. */
export interface Observability {
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  beginWork: BeginWork;
}

export async function observeProcess({
  log,
  traces,
}: {
  log: Log;
  traces: TracesOptions;
}): Promise<ProcessObservability> {
  const tracing = await openTracing({ ...traces, onError: (error) => log.warn({ error }, 'traces could not be sent') });
  const metrics = createProcessMetrics(traces.version);
  return {
    log,
    metrics,
    tracing,
    eventLoop: createEventLoopWatch({ onHeldUp: (ms) => metrics.heldUpSeconds.inc(ms / 1000) }),
  };
}

/** @param labels what the metrics and traces of the bot carry, where the process runs several */
export function createObservability(
  { log, tracing, metrics: ofProcess }: Pick<ProcessObservability, 'log' | 'tracing'> & { metrics?: ProcessMetrics },
  labels: Readonly<Record<string, string>> = {},
): Observability {
  const metrics = createMetrics(labels, Object.keys(labels).length > 0 ? ofProcess?.registry : undefined);
  beginSeries(metrics);
  return { log, metrics, tracing, beginWork: createBeginWork({ tracing, newCorrelationId, labels }) };
}

/** The id of the current work, which all its lines in the log carry; a new one outside any work. */
export function currentCorrelationId(): string {
  return currentWork()?.correlationId ?? newCorrelationId();
}

function newCorrelationId(): string {
  return randomUUID().slice(0, 8);
}

/** Loads the packages of OpenTelemetry only where they are used: they take 0.1 s and 25 MB. */
async function openTracing({
  endpoint,
  ...options
}: TracesOptions & { onError: (error: unknown) => void }): Promise<Tracing> {
  if (endpoint === undefined) return noTracing;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ endpoint, ...options });
}

type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

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
