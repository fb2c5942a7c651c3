/** It took too long; what was waited for may still come. */
export class TooLateError extends Error {
  override name = 'TooLateError';
}

/**
 * Waits for something, but no longer than so many milliseconds.
 * @throws {TooLateError}
 */
export async function within<Value>(ms: number, awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooLateError(`nothing came within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
