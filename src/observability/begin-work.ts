import type { Attributes, SpanKind, Tracing } from './tracing.ts';
import { workOn } from './work.ts';

export interface NewWork {
  /** What it comes from, one of a few: `command`, `webhook`, `queue channel`. */
  from: string;
  /** What the trace is called; `from` unless given. */
  name?: string | undefined;
  kind?: SpanKind | undefined;
  attributes?: Attributes | undefined;
}

/** Does something as a piece of work of its own: with a reference of its own and, where traces are wanted, its own trace. */
export type BeginWork = <Value>(work: NewWork, run: () => Promise<Value>) => Promise<Value>;

export function createBeginWork({ tracing, newCorrelationId }: { tracing: Tracing; newCorrelationId: () => string }): BeginWork {
  return async ({ from, name = from, kind, attributes }, run) => {
    const correlationId = newCorrelationId();
    const span = tracing.open({ name, kind, attributes: { ...attributes, 'invigilator.reference': correlationId } });
    if (span === undefined) return workOn({ correlationId, from }, run);
    try {
      const value = await workOn({ correlationId, from, span }, run);
      span.end();
      return value;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
}
