import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { slackCodeOf } from '../errors.ts';

export interface OwnMessage {
  channel: string;
  ts: string;
  /** As Slack stored it. */
  text: string;
}

export interface Content {
  text: string;
  blocks?: KnownBlock[];
}

/** Posts messages that a trial needs, and deletes them again. */
export interface OwnMessages {
  /** The message whose thread holds the others. */
  open(content: Content): Promise<OwnMessage>;
  /** Posts into the thread. */
  post(content: Content): Promise<OwnMessage>;
  /** Posts elsewhere. @param channel also the ID of a person */
  postTo(channel: string, content: Content): Promise<OwnMessage>;
  /** Takes a message that came about otherwise, to delete it in the end. */
  keep(message: OwnMessage): void;
  delete(message: OwnMessage): Promise<void>;
  /** Deletes every message that is left, also after the signal. @returns how many could not be deleted */
  deleteAll(): Promise<number>;
}

/** `message_not_found`: somebody else, or an earlier try, deleted it. */
const isGone = (error: unknown): boolean => slackCodeOf(error) === 'message_not_found';

export function createOwnMessages(client: WebClient, channel: string, signal: AbortSignal): OwnMessages {
  const left = new Set<OwnMessage>();
  let root: OwnMessage | undefined;

  async function post(target: string, { text, blocks }: Content, threadTs?: string): Promise<OwnMessage> {
    signal.throwIfAborted();
    const posted = await client.chat.postMessage({
      channel: target,
      text,
      ...(blocks && { blocks }),
      ...(threadTs !== undefined && { thread_ts: threadTs }),
      unfurl_links: false,
      unfurl_media: false,
    });
    const message = { channel: posted.channel ?? target, ts: posted.ts ?? '', text: posted.message?.text ?? '' };
    left.add(message);
    return message;
  }

  async function remove(message: OwnMessage): Promise<void> {
    await client.chat.delete({ channel: message.channel, ts: message.ts }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    left.delete(message);
  }

  /** A post whose answer was lost is in the thread all the same. */
  async function findUnknown({ channel: id, ts }: OwnMessage): Promise<void> {
    const [{ messages = [] }, { bot_id: botId }] = await Promise.all([
      client.conversations.replies({ channel: id, ts, limit: 200 }),
      client.auth.test(),
    ]);
    const known = new Set([...left].map((message) => message.ts));
    for (const message of messages)
      if (message.bot_id === botId && message.ts !== undefined && !known.has(message.ts))
        left.add({ channel: id, ts: message.ts, text: '' });
  }

  return {
    async open(content) {
      root = await post(channel, content);
      return root;
    },
    post: async (content) => post(channel, content, root?.ts),
    postTo: async (target, content) => post(target, content),
    keep: (message) => void left.add(message),
    delete: remove,
    async deleteAll() {
      // Without the scope that reads the thread, what is known is deleted.
      if (root) await findUnknown(root).catch(() => {});
      // The message above the thread goes last: Slack keeps a placeholder for it while there are replies.
      const replies = [...left].filter((message) => message !== root);
      for (const message of root && left.has(root) ? [...replies, root] : replies)
        await remove(message).catch(() => {});
      return left.size;
    },
  };
}
