import type { FetchFunction } from '@slack/web-api';
import { isBadMessage } from '../errors.ts';
import type { Message } from '../views/blocks/message.ts';

export type AnswerAt = ReturnType<typeof createAnswerAt>;

/** Where the answer to a command or a click goes. A response URL takes five answers within 30 minutes. */
export interface ResponseTarget {
  responseUrl: string;
  /** Whether the answer replaces the message with the button. */
  replacesOriginal: boolean;
  /** Whether everybody in the conversation sees the message with the button. A message that replaces it stays public. */
  isOriginalPublic?: boolean;
  /** The thread of the message with the button. Without it, an answer leaves the thread. */
  threadTs?: string;
}

const timeoutMs = 10_000;
/** The waits before another try where the connection fails: without the answer, the person would see nothing. */
const retryAfterMs = [1_000, 4_000];

/**
 * @param apiUrl of Slack. Answers go to its own hosts only: a request that is signed with the secret of one app could name any
 *   other address, which the process may reach and its sender may not.
 */
export function createAnswerAt(fetch: FetchFunction, sleep: (ms: number) => Promise<void>, apiUrl: string) {
  const isOfSlack = createIsOfSlack(apiUrl);

  /**
   * Answers so that only the person sees it, save for a public message that is replaced, which a secret never does; in plainer
   * blocks where Slack refuses the first.
   * @throws where Slack refuses both, or the response URL is used up or is not Slack’s
   */
  return async function answerAt(responseTarget: ResponseTarget, message: Message): Promise<void> {
    if (!isOfSlack(responseTarget.responseUrl)) throw new Error('a response URL is not on Slack’s hosts');
    const { text, blocks, plain, isSecret = false } = message;
    const target =
      isSecret && responseTarget.isOriginalPublic ? { ...responseTarget, replacesOriginal: false } : responseTarget;
    let refusal = await postWithRetries(target, { text, blocks });
    if (plain && refusal && isBadMessage(refusal.code))
      refusal = await postWithRetries(target, { text, blocks: plain });
    if (refusal !== undefined) throw new Error(`Slack refused an answer: ${refusal.text.slice(0, 500)}`);
  };

  async function postWithRetries(responseTarget: ResponseTarget, content: Message): Promise<Refusal | undefined> {
    for (const waitMs of retryAfterMs) {
      try {
        return await post(fetch, responseTarget, content);
      } catch (error) {
        // After a timeout, the answer may have arrived.
        if (error instanceof Error && error.name === 'TimeoutError') throw error;
        await sleep(waitMs);
      }
    }
    return post(fetch, responseTarget, content);
  }
}

/**
 * Says who sees an answer and where it goes. Slack advises to declare both, since its defaults differ between commands, clicks
 * and threads: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
function declarations({ replacesOriginal, isOriginalPublic = false, threadTs }: ResponseTarget) {
  return {
    response_type: replacesOriginal && isOriginalPublic ? 'in_channel' : 'ephemeral',
    replace_original: replacesOriginal,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
}

interface Refusal {
  /** Slack's error code; empty where the body has none. */
  code: string;
  text: string;
}

/**
 * Posts once. A response URL refuses with its status or only in its body; Bolt's `respond` reports the status alone.
 * @returns undefined where Slack took the answer
 */
async function post(
  fetch: FetchFunction,
  responseTarget: ResponseTarget,
  content: Message,
): Promise<Refusal | undefined> {
  const response = await fetch(responseTarget.responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...content, ...declarations(responseTarget) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = await response.text();
  if (response.ok && !/"ok":\s*false/.test(body)) return undefined;
  return {
    code: /"error":\s*"(\w+)"/.exec(body)?.[1] ?? /^\s*(\w+)/.exec(body)?.[1] ?? '',
    text: `${response.status} ${body}`,
  };
}

/**
 * Whether an address is on Slack’s own hosts: that of its API, or one below it, such as hooks.slack.com.
 *
 * @param apiUrl such as https://slack.com/api/
 */
export function createIsOfSlack(apiUrl: string): (address: string) => boolean {
  const { hostname, protocol } = new URL(apiUrl);
  return (address) => {
    const url = URL.parse(address);
    return (
      url !== null && url.protocol === protocol && (url.hostname === hostname || url.hostname.endsWith(`.${hostname}`))
    );
  };
}
