import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracing.ts';

/** What the bot is busy with: every line logged meanwhile carries it. */
export interface Work {
  /** Names this piece of work; a person who is told of a failure is told this. */
  correlationId: string;
  /** What it came from: `command`, `action`, `webhook`, `queue channel`, … */
  from: string;
  /** Where traces are sent: the span that is open now. */
  span?: Span | undefined;
}

const inFlight = new AsyncLocalStorage<Work>();

/** The work on whose behalf the caller runs; undefined where it is nobody's. */
export function currentWork(): Work | undefined {
  return inFlight.getStore();
}

/** Runs something, with everything it starts, as this piece of work. */
export function workOn<Value>(work: Work, run: () => Value): Value {
  return inFlight.run(work, run);
}
