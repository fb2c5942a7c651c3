import { currentWork, workOn } from './work.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A stretch of time in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  end(failure?: unknown, attributes?: Attributes): void;
}

/** `server`: asked from outside; `client`: the bot asks somebody. */
export type SpanKind = 'internal' | 'server' | 'client';

export interface SpanOptions {
  name: string;
  kind?: SpanKind | undefined;
  /** Nothing personal and no secrets. */
  attributes?: Attributes | undefined;
  /** Milliseconds since the epoch; now unless given. */
  startedAt?: number | undefined;
  parent?: Span | undefined;
}

/** Where spans go. */
export interface Tracing {
  /** Undefined where nobody wants traces. */
  open(options: SpanOptions): Span | undefined;
  /** Sends what is not sent yet, within a few seconds. */
  stop(): Promise<void>;
}

/** Nobody wants traces: no span is made, and nothing is loaded. */
export const noTracing: Tracing = { open: () => undefined, stop: async () => {} };

/**
 * Traces to the receiver at an OTLP/HTTP endpoint; without one, none. The packages are loaded only where there is
 * one: they take a tenth of a second and 25 MB.
 */
export async function openTracing(options: { endpoint: string | undefined; version: string; timeoutMs: number; onError: (error: unknown) => void }): Promise<Tracing> {
  const { endpoint, ...others } = options;
  if (endpoint === undefined) return noTracing;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ endpoint, ...others });
}

/** Does something within a span of the work that is under way. A rejection marks the span as failed. */
export async function inSpan<Value>(tracing: Tracing, options: Omit<SpanOptions, 'parent'>, run: () => Promise<Value>): Promise<Value> {
  const work = currentWork();
  const span = tracing.open({ ...options, parent: work?.span });
  if (span === undefined) return run();
  try {
    const value = await (work ? workOn({ ...work, span }, run) : run());
    span.end();
    return value;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
