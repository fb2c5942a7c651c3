import type { FetchFunction } from '@slack/web-api';

/** Slack often means a second. A person waits that long without noticing; what takes longer, they are told. */
const longestWaitMs = 2_000;
const triesAtMost = 3;

/**
 * Waits out short 429s of Slack. The SDK would wait out each of any length, and let everybody else's calls wait with
 * it: with this, its `rejectRateLimitedCalls` leaves those that are worth telling.
 */
export function createRateLimitFetch(fetch: FetchFunction, sleep: (ms: number) => Promise<void>): FetchFunction {
  return async (url, init) => {
    for (let tried = 1; ; tried += 1) {
      const response = await fetch(url, init);
      const waitMs = response.status === 429 ? 1_000 * Number(response.headers.get('retry-after') ?? NaN) : NaN;
      if (tried === triesAtMost || !(waitMs <= longestWaitMs)) return response;
      await sleep(waitMs);
    }
  };
}
