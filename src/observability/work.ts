import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** A piece of work, such as one command or one webhook. Every line logged during it carries its ID and its origin. */
interface Work {
  /** Names this piece of work in the log; people read it as the reference of a failure. */
  readonly correlationId: string;
  /** Where the work comes from; few different values: `command`, `action`, `webhook`, `queue channel`, … */
  readonly from: string;
}

const running = new AsyncLocalStorage<Work>();

/** Runs a function as a piece of work of its own. */
export async function beginWork<Value>(from: string, run: () => Promise<Value>): Promise<Value> {
  return running.run({ correlationId: newCorrelationId(), from }, run);
}

/** The piece of work that the caller is part of; undefined outside any. */
export function currentWork(): Work | undefined {
  return running.getStore();
}

/** The ID of the current work, which all its lines in the log carry; a new one outside any work. */
export function currentCorrelationId(): string {
  return currentWork()?.correlationId ?? newCorrelationId();
}

function newCorrelationId(): string {
  return randomUUID().slice(0, 8);
}
