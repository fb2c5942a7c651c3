import { ErrorCode, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Message } from '../slack/views/message.ts';

/** What the queues need of Slack: to post, to see whether something was posted, and to change it. Each call is tried once. */
export interface SlackChannel {
  /** @returns Slack's id of the message */
  post(channelId: string, message: Message, options?: { id?: string; threadTs?: string | undefined }): Promise<string>;
  /** Slack's id of the message with this id, among those younger than `sinceTs`; undefined where there is none. */
  find(channelId: string, id: string, options: { threadTs?: string | undefined; sinceTs?: string | undefined }): Promise<string | undefined>;
  change(channelId: string, ts: string, message: Message): Promise<void>;
}

const eventType = 'quiz_submission';
/** A page of Slack's history, and how many are looked through. */
const pageSize = 200;
const pagesAtMost = 10;

/** The SDK's own retries are off: `chat.postMessage` is not idempotent, and a waiting call would hold up its queue. */
export function createSlackChannel(token: string, options: WebClientOptions): SlackChannel {
  const client = new WebClient(token, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, maxRequestConcurrency: 100 });

  async function post(channelId: string, message: Message, { id, threadTs }: { id?: string; threadTs?: string | undefined } = {}): Promise<string> {
    const send = async ({ text, blocks }: { text: string; blocks?: Message['blocks'] }) => {
      const posted = await client.chat.postMessage({
        channel: channelId,
        text,
        ...(blocks && { blocks }),
        ...(threadTs !== undefined && { thread_ts: threadTs }),
        ...(id !== undefined && { metadata: { event_type: eventType, event_payload: { message_id: id } } }),
        unfurl_links: false,
        unfurl_media: false,
      });
      return posted.ts ?? '';
    };
    return inSimplerWords(message, send);
  }

  return {
    post,
    async find(channelId, id, { threadTs, sinceTs }) {
      for (let page = 0, cursor: string | undefined; page < pagesAtMost; page += 1) {
        const asked = { channel: channelId, include_all_metadata: true, limit: pageSize, ...(sinceTs && { oldest: sinceTs }), ...(cursor && { cursor }) };
        const { messages = [], response_metadata } = threadTs === undefined ? await client.conversations.history(asked) : await client.conversations.replies({ ...asked, ts: threadTs });
        const found = messages.find(({ metadata }) => metadata?.event_type === eventType && (metadata.event_payload as Record<string, unknown> | undefined)?.['message_id'] === id);
        if (found) return found.ts;
        cursor = response_metadata?.next_cursor;
        if (!cursor) return undefined;
      }
      return undefined;
    },
    async change(channelId, ts, message) {
      await inSimplerWords(message, ({ text, blocks }) => client.chat.update({ channel: channelId, ts, text, blocks: blocks ?? [] }));
    },
  };
}

/** Slack's answers to a message it could not show. */
const badMessages = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'invalid_arguments']);

/** A workspace can be older than a block: the same facts in plain sections, and in the end as text alone. */
async function inSimplerWords<Sent>({ text, blocks, plain }: Message, send: (message: { text: string; blocks?: Message['blocks'] }) => Promise<Sent>): Promise<Sent> {
  const ways = [{ text, blocks }, ...(plain ? [{ text, blocks: plain }] : []), { text }];
  for (const [index, way] of ways.entries()) {
    try {
      return await send(way);
    } catch (error) {
      if (index === ways.length - 1 || !badMessages.has(slackCodeOf(error) ?? '')) throw error;
    }
  }
  throw new Error('there is always a way that was tried');
}

/**
 * What a failed call means. `rate_limited`, `closed`, `thread gone` and `refused`: it was not done, for sure.
 * `unclear`: it may have been done.
 */
export interface SlackFailure {
  kind: 'rate_limited' | 'closed' | 'thread gone' | 'refused' | 'unclear';
  code: string;
  retryAfterMs?: number;
}

/** The channel cannot be used until somebody mends it. */
const closedCodes = new Set(['channel_not_found', 'not_in_channel', 'is_archived', 'no_permission', 'restricted_action', 'restricted_action_read_only_channel', 'restricted_action_thread_only_channel', 'ekm_access_denied', 'as_user_not_supported']);
const threadGoneCodes = new Set(['thread_not_found', 'message_not_found', 'cannot_reply_to_message', 'cant_update_message', 'edit_window_closed', 'restricted_action_thread_locked']);
/** Slack says of these that some of it may have been done: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const unclearCodes = new Set(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout']);

/** Reads what the SDK throws. */
export function explainSlackFailure(error: unknown): SlackFailure {
  const { code, retryAfter } = error as { code?: string; retryAfter?: number };
  if (code === ErrorCode.RateLimitedError) return { kind: 'rate_limited', code: 'ratelimited', retryAfterMs: (retryAfter ?? 1) * 1000 };
  const slackCode = slackCodeOf(error);
  if (code !== ErrorCode.PlatformError || slackCode === undefined) return { kind: 'unclear', code: code ?? 'unknown' };
  if (slackCode === 'ratelimited') return { kind: 'rate_limited', code: slackCode, retryAfterMs: 30_000 };
  const kind = closedCodes.has(slackCode) ? 'closed' : threadGoneCodes.has(slackCode) ? 'thread gone' : unclearCodes.has(slackCode) ? 'unclear' : 'refused';
  return { kind, code: slackCode };
}

function slackCodeOf(error: unknown): string | undefined {
  return (error as { data?: { error?: string } }).data?.error;
}
