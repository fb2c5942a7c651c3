import type { FetchFunction } from '@slack/web-api';
import type { Message } from './views/message.ts';

export type AnswerAt = ReturnType<typeof createAnswerAt>;

/** Where the answer to a command or a click goes. A response URL takes five answers within half an hour. */
export interface ResponseTarget {
  responseUrl: string;
  /** Whether the answer takes the place of the message that was clicked on. */
  replacesOriginal: boolean;
}

const timeoutMs = 10_000;
/** Slack is asked again after these times where the connection fails: nothing else would tell the person anything. */
const triesAgainAfterMs = [1_000, 4_000];

export function createAnswerAt(fetch: FetchFunction, sleep: (ms: number) => Promise<void>) {
  /**
   * Answers so that only the person sees it, in plain blocks where the workspace is too old for the others.
   * @throws when Slack takes neither, or the response URL is used up
   */
  return async function answerAt(responseTarget: ResponseTarget, message: Message): Promise<void> {
    const { text, blocks, plain } = message;
    let refusal = await postWithRetries(responseTarget, { text, blocks });
    if (plain && refusal?.includes('invalid_blocks')) refusal = await postWithRetries(responseTarget, { text, blocks: plain });
    if (refusal !== undefined) throw new Error(`Slack refused an answer: ${refusal.slice(0, 500)}`);
  };

  async function postWithRetries(responseTarget: ResponseTarget, content: Message): Promise<string | undefined> {
    for (const waitMs of triesAgainAfterMs) {
      try {
        return await post(fetch, responseTarget, content);
      } catch (error) {
        // After a timeout it may well be there.
        if (error instanceof Error && error.name === 'TimeoutError') throw error;
        await sleep(waitMs);
      }
    }
    return post(fetch, responseTarget, content);
  }
}

/**
 * @returns what Slack has against it, if anything. A response URL says so in its status or only in its body, and
 * Bolt's `respond` reports the status alone.
 */
async function post(fetch: FetchFunction, { responseUrl, replacesOriginal }: ResponseTarget, content: Message): Promise<string | undefined> {
  const response = await fetch(responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...content, ...(replacesOriginal && { replace_original: true }) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const said = await response.text();
  return response.ok && !/"ok":\s*false/.test(said) ? undefined : `${response.status} ${said}`;
}
