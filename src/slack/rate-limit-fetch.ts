import type { FetchFunction } from '@slack/web-api';

/** Slack often asks for a second, which a person does not notice. They are told about longer waits. */
const longestWaitMs = 2_000;
const triesAtMost = 3;

/**
 * Waits out short 429s. The SDK alone would wait out every 429, and hold up the calls of everybody else; its
 * `rejectRateLimitedCalls` then rejects only the long ones.
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
