import { InvigilatorError } from '../domain/errors.ts';

/** The time is over. What was awaited may still come. */
export class TimedOutError extends InvigilatorError {
  readonly code = 'timed_out';
}

/**
 * Waits for a promise, at most `ms` milliseconds.
 *
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
