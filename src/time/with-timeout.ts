import { InvigilatorError } from '../domain/errors.ts';

/** It took too long; what was waited for may still come. */
export class TimedOutError extends InvigilatorError {
  readonly code = 'timed_out';
}

/**
 * Waits for something, but no longer than so many milliseconds.
 * @throws {TimedOutError}
 */
export async function withTimeout<Value>(ms: number, awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimedOutError(`nothing came within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
