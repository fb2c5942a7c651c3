import { randomUUID } from 'node:crypto';
import { createEventLoopWatch, type EventLoopWatch } from './liveness.ts';
import type { Log } from './log.ts';
import { beginSeries, createMetrics, type Metrics } from './metrics.ts';
import { createProcessMetrics, type ProcessMetrics } from './process-metrics.ts';
import { createBeginWork, currentWork, noTracing, type BeginWork, type Tracing } from './tracing.ts';

interface TracesOptions {
  /** An OTLP/HTTP endpoint; undefined switches tracing off. */
  endpoint: string | undefined;
  /** Sent with each batch of traces, such as the key of the receiver. */
  headers?: Readonly<Record<string, string>>;
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
  { log, tracing }: Pick<ProcessObservability, 'log' | 'tracing'>,
  labels: Readonly<Record<string, string>> = {},
): Observability {
  const metrics = createMetrics(labels);
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
