import { createHash } from 'node:crypto';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { AnnouncementChannel } from '../../features/alerts/announcement-channel.ts';
import { canBeShorter, type Announcement, type ListAnnouncement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import { callSlack, closedReason, isBadMessage } from '../errors.ts';
import { findMessage, type Mark } from './find-message.ts';
import { announcementMessage } from '../views/announcement.ts';
import { fitsSlack, type Message } from '../views/blocks/message.ts';

/** Marks a message with its key. */
function markOf(key: string): Mark {
  return { event_type: 'quiz_submission', event_payload: { message_id: key } };
}

/**
 * Announces in Slack's channels. Ids of messages and threads are Slack's `ts`. The key of a message is in its metadata,
 * where the channel's history shows it. The SDK's own retries are off: `chat.postMessage` is not idempotent, and a
 * waiting call would hold up its queue.
 */
export function createAnnouncementChannel(
  token: string,
  clientOptions: WebClientOptions,
  openDirectMessages: OpenDirectMessages,
): AnnouncementChannel {
  const client = new WebClient(token, {
    ...clientOptions,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: 100,
  });

  /** What a live message shows is drawn once to see whether it has changed, and to change it. */
  const drawn = new WeakMap<Announcement, Message>();

  function messageOf(announcement: Announcement): Message {
    const message = drawn.get(announcement) ?? announcementMessage(announcement);
    drawn.set(announcement, message);
    return message;
  }

  async function postMessage(
    channelId: string,
    message: Message,
    options: { key?: string; threadId?: string | undefined; isSplitWhenTooLong?: boolean } = {},
  ): Promise<string> {
    const { key, threadId, isSplitWhenTooLong = false } = options;
    return inPlainerForms(message, { isSplitWhenTooLong }, async ({ text, blocks }) => {
      const posted = await client.chat.postMessage({
        channel: channelId,
        text,
        ...(blocks && { blocks }),
        ...(threadId !== undefined && { thread_ts: threadId }),
        ...(key !== undefined && { metadata: markOf(key) }),
        unfurl_links: false,
        unfurl_media: false,
      });
      return posted.ts ?? '';
    });
  }

  return {
    countFitting,
    async post(channelId, announcement, options) {
      return postMessage(channelId, announcementMessage(announcement), {
        ...options,
        isSplitWhenTooLong: canBeShorter(announcement),
      });
    },
    async find(channelId, key, { threadId, after }) {
      try {
        return await findMessage(client, channelId, markOf(key), { threadId, after });
      } catch (error) {
        // Without the scope to read the channel nobody can tell, and a message twice is better than none.
        if (error instanceof PlatformError && error.code === 'missing_scope') return undefined;
        throw error;
      }
    },
    async whyClosed(channelId) {
      try {
        const { channel } = await callSlack(async () => client.conversations.info({ channel: channelId }));
        if (channel?.is_archived === true) return closedReason('is_archived');
        return channel?.is_member === false && channel.is_im !== true ? closedReason('not_in_channel') : undefined;
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'closed') return closedReason(error.code);
        throw error;
      }
    },
    fingerprint: (announcement) =>
      createHash('sha256')
        .update(JSON.stringify(messageOf(announcement)))
        .digest('base64url'),
    async update(channelId, messageId, announcement) {
      await inPlainerForms(messageOf(announcement), {}, ({ text, blocks }) =>
        client.chat.update({ channel: channelId, ts: messageId, text, blocks: blocks ?? [] }),
      );
    },
    openDirect: openDirectMessages,
    async sendDirect(personId, announcement) {
      await postMessage(await openDirectMessages(personId), announcementMessage(announcement));
    },
  };
}

/** Counts the first items of a list that fit into a message; at least 1. */
export function countFitting(list: ListAnnouncement): number {
  const isFitting = (count: number) =>
    fitsSlack(announcementMessage({ ...list, items: list.items.slice(0, count) } as ListAnnouncement));
  let [fitting, tooMany] = [1, list.items.length + 1];
  for (let count = list.items.length; tooMany - fitting > 1; count = Math.floor((fitting + tooMany) / 2)) {
    if (isFitting(count)) fitting = count;
    else tooMany = count;
  }
  return fitting;
}

/**
 * Sends a message in the plainest form that Slack needs: in its own blocks, in those of every workspace, as text alone.
 * With `isSplitWhenTooLong`, a message that is too long fails instead: its text alone has no names.
 */
async function inPlainerForms<Sent>(
  { text, blocks, plain }: Message,
  { isSplitWhenTooLong = false }: { isSplitWhenTooLong?: boolean },
  send: (message: { text: string; blocks?: Message['blocks'] }) => Promise<Sent>,
): Promise<Sent> {
  try {
    return await callSlack(async () => send({ text, blocks }));
  } catch (error) {
    if (!(error instanceof PlatformError && isBadMessage(error.code))) throw error;
    if (isSplitWhenTooLong && error.kind === 'too_long') throw error;
  }
  if (plain) return inPlainerForms({ text, blocks: plain }, { isSplitWhenTooLong }, send);
  return callSlack(async () => send({ text }));
}
