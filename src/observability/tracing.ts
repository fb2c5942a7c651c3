export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An open span: a named stretch of time in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** A `failure` marks the span as failed. */
  end(failure?: unknown, attributes?: Attributes): void;
}

/** `server` for a request that the bot answers, `client` for a request that it makes. */
export type SpanKind = 'internal' | 'server' | 'client';

export interface SpanOptions {
  name: string;
  /** Default: `internal`. */
  kind?: SpanKind | undefined;
  /** Neither personal data nor secrets. */
  attributes?: Attributes | undefined;
  /** Milliseconds since the epoch; default: now. */
  startedAt?: number | undefined;
  parent?: Span | undefined;
}

/** The destination of spans. */
export interface Tracing {
  /** False where spans go nowhere: callers skip the work of describing them. */
  readonly isOn: boolean;
  /** @returns undefined where tracing is off */
  open(options: SpanOptions): Span | undefined;
  /** Sends the remaining spans, within a few seconds. */
  stop(): Promise<void>;
}

/** Tracing that is off: makes no spans. */
export const noTracing: Tracing = { isOn: false, open: () => undefined, stop: async () => {} };
