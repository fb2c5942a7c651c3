import { AsyncLocalStorage } from 'node:async_hooks';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

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

/** A piece of work, such as one command or one webhook. Every line logged during it carries its id and its origin. */
interface Work {
  /** Names this piece of work in the log; people read it as the reference of a failure. */
  readonly correlationId: string;
  /** Where the work comes from: `command`, `action`, `webhook`, `queue channel`, … */
  readonly from: string;
  /** The innermost open span, where tracing is on. */
  readonly span?: Span | undefined;
}

export interface NewWork {
  /** Where the work comes from; few different values. */
  from: string;
  /** The name of the trace; default: `from`. */
  name?: string | undefined;
  kind?: SpanKind | undefined;
  attributes?: Attributes | undefined;
}

/** Runs a function as a piece of work with its own correlation id and, where tracing is on, its own trace. */
export type BeginWork = <Value>(work: NewWork, run: () => Promise<Value>) => Promise<Value>;

const running = new AsyncLocalStorage<Work>();

/** The piece of work that the caller is part of; undefined outside any. */
export function currentWork(): Work | undefined {
  return running.getStore();
}

export function createBeginWork({
  tracing,
  newCorrelationId,
  labels = {},
}: {
  tracing: Tracing;
  newCorrelationId: () => string;
  /** Attributes of every trace, such as whose bot it is. */
  labels?: Readonly<Record<string, string>>;
}): BeginWork {
  const always = Object.fromEntries(Object.entries(labels).map(([name, value]) => [`invigilator.${name}`, value]));
  if (!tracing.isOn) return ({ from }, run) => running.run({ from, correlationId: newCorrelationId() }, run);
  return ({ from, name = from, kind, attributes }, run) => {
    const correlationId = newCorrelationId();
    const span = tracing.open({
      name,
      kind,
      attributes: { ...attributes, ...always, 'invigilator.reference': correlationId },
    });
    return endingWith(span, () => running.run({ correlationId, from, span }, run));
  };
}

/** Runs a function within a span of the current work. A rejection marks the span as failed. */
export function inSpan<Value>(
  tracing: Tracing,
  options: Omit<SpanOptions, 'parent'>,
  run: () => Promise<Value>,
): Promise<Value> {
  if (!tracing.isOn) return run();
  const work = currentWork();
  const span = tracing.open({ ...options, parent: work?.span });
  return endingWith(span, () =>
    work ? running.run({ correlationId: work.correlationId, from: work.from, span }, run) : run(),
  );
}

async function endingWith<Value>(span: Span | undefined, run: () => Promise<Value>): Promise<Value> {
  try {
    const value = await run();
    span?.end();
    return value;
  } catch (error) {
    span?.end(error);
    throw error;
  }
}
