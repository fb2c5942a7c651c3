import { randomUUID } from 'node:crypto';
import { createEventLoopWatch } from './liveness.ts';
import type { Log } from './log.ts';
import { beginSeries, createMetrics } from './metrics.ts';
import { createBeginWork, currentWork, noTracing, type Tracing } from './tracing.ts';

export interface TracesOptions {
  /** An OTLP/HTTP endpoint; undefined switches tracing off. */
  endpoint: string | undefined;
  /** Sent with each batch of traces, such as the key of the receiver. */
  headers?: Readonly<Record<string, string>>;
  /** The version of the bot. */
  version: string;
  timeoutMs: number;
}

export type Observability = Awaited<ReturnType<typeof createObservability>>;

/** Makes what the parts of a bot report to: metrics, traces and the current work. */
export async function createObservability({ log, traces }: { log: Log; traces: TracesOptions }) {
  const tracing = await openTracing({ ...traces, onError: (error) => log.warn({ error }, 'traces could not be sent') });
  const metrics = createMetrics();
  beginSeries(metrics);
  metrics.build.set({ version: traces.version }, 1);
  return {
    log,
    metrics,
    tracing,
    beginWork: createBeginWork({ tracing, newCorrelationId }),
    eventLoop: createEventLoopWatch({ onHeldUp: (ms) => metrics.heldUpSeconds.inc(ms / 1000) }),
  };
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
