import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { canBeShorter, type Announcement, type ListAnnouncement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Post } from '../../governance/approvals/announce.ts';
import type { Log } from '../../observability/log.ts';
import type { UndeliveredStatus } from '../../operations/services/records.ts';
import { callSlack, closedReason, isBadMessage } from '../errors.ts';
import type { SlackMetrics } from '../metrics.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import { announcementMessage } from '../views/announcement.ts';
import { fitsSlack, type Message } from '../views/blocks/message.ts';
import type { Counters } from '../../storage/records.ts';

/** The thread in which a message is posted, and whether the conversation shows it, too. */
type Thread = { thread_ts?: string } | { thread_ts: string; reply_broadcast: true };

export type Posting = ReturnType<typeof createPosting>;

/**
 * Posts, changes and finds the bot’s messages. All functions throw `PlatformError`.
 *
 * @param client does not retry, since `chat.postMessage` is not idempotent and a waiting call would hold up its queue; the
 *   caller looks up what failed
 */
export function createPosting(client: WebClient) {
  return {
    /** @param options.isSplitWhenTooLong a message that is too long fails: its text alone has no names */
    async post(
      channel: string,
      message: Message,
      options: { mark?: Mark; thread?: Thread; isSplitWhenTooLong?: boolean } = {},
    ): Promise<Post> {
      const { mark, thread = {}, isSplitWhenTooLong = false } = options;
      return inPlainerForms(message, isSplitWhenTooLong, async ({ text, blocks }) => {
        const posted = await client.chat.postMessage({
          channel,
          text,
          ...(blocks && { blocks }),
          ...thread,
          ...(mark && { metadata: mark }),
          unfurl_links: false,
          unfurl_media: false,
        });
        return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
      });
    },
    async update({ channel, ts }: Post, message: Message): Promise<void> {
      await inPlainerForms(message, false, ({ text, blocks }) =>
        client.chat.update({ channel, ts, text, blocks: blocks ?? [] }),
      );
    },
    find: (channel: string, mark: Mark, where: { threadTs?: string | undefined; after?: string | undefined }) =>
      findMessage(client, channel, mark, where),
  };
}

/** Marks a message with its key. */
function markOf(key: string): Mark {
  return { event_type: 'quiz_submission', event_payload: { message_id: key } };
}

/**
 * Announces in Slack's channels. Ids of messages and threads are Slack's `ts`. The key of a message is in its metadata,
 * where the channel's history shows it.
 */
export function createAnnouncementChannel(
  client: WebClient,
  posting: Posting,
  openDirectMessages: OpenDirectMessages,
): AnnouncementChannel {
  /** What a live message shows is drawn once to see whether it has changed, and to change it. */
  const drawn = new WeakMap<Announcement, Message>();

  function messageOf(announcement: Announcement): Message {
    const message = drawn.get(announcement) ?? announcementMessage(announcement);
    drawn.set(announcement, message);
    return message;
  }

  return {
    closedReason,
    countFitting,
    async post(channelId, announcement, { key, threadId } = {}) {
      const { ts } = await posting.post(channelId, announcementMessage(announcement), {
        ...(threadId !== undefined && { thread: { thread_ts: threadId } }),
        isSplitWhenTooLong: canBeShorter(announcement),
        ...(key !== undefined && { mark: markOf(key) }),
      });
      return ts;
    },
    async find(channelId, key, { threadId, after }) {
      try {
        return await posting.find(channelId, markOf(key), { threadTs: threadId, after });
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
    update: (channelId, messageId, announcement) =>
      posting.update({ channel: channelId, ts: messageId }, messageOf(announcement)),
    openDirect: openDirectMessages,
    async sendDirect(personId, announcement) {
      await posting.post(await openDirectMessages(personId), announcementMessage(announcement));
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
 */
async function inPlainerForms<Sent>(
  { text, blocks, plain }: Message,
  isSplitWhenTooLong: boolean,
  send: (message: { text: string; blocks?: Message['blocks'] }) => Promise<Sent>,
): Promise<Sent> {
  try {
    return await callSlack(async () => send({ text, blocks }));
  } catch (error) {
    if (!(error instanceof PlatformError && isBadMessage(error.code))) throw error;
    if (isSplitWhenTooLong && error.kind === 'too_long') throw error;
  }
  if (plain) return inPlainerForms({ text, blocks: plain }, isSplitWhenTooLong, send);
  return callSlack(async () => send({ text }));
}

/** In the store, beside what is counted. */
const lastAtField = 'lastAt';

/** What is counted over all instances for `/quiz-admin status`, by its kind. @param name in the store */
function createTally(name: string, { counters, log, now }: { counters: Counters; log: Log; now: () => number }) {
  return {
    async add(kind: string): Promise<void> {
      try {
        await counters.add(name, { [kind]: 1 });
        await counters.raise(name, lastAtField, now());
      } catch (error) {
        log.warn({ error, kind }, 'something could not be counted for /quiz-admin status');
      }
    },
    async read() {
      const { [lastAtField]: lastAt, ...counts } = await counters.of(name);
      return {
        count: Object.values(counts).reduce((sum, count) => sum + count, 0),
        lastAt,
        kinds: Object.keys(counts),
      };
    },
  };
}

/** What a message was about. */
type UndeliveredKind = 'approval_request' | 'approval_news' | 'paused_alerts' | 'audit_channel' | 'departures';

/** Counts messages that reached nobody: in the log, in a metric, and over all instances for `/quiz-admin status`. */
export function createUndelivered(deps: {
  counters: Counters;
  metrics: Pick<SlackMetrics, 'undelivered'>;
  log: Log;
  now: () => number;
}) {
  const tally = createTally('undelivered', deps);

  return {
    /** @param facts go to the log */
    async count(kind: UndeliveredKind, facts: Readonly<Record<string, unknown>>): Promise<void> {
      deps.log.error(
        { ...facts, kind },
        'a message reached nobody: Slack lets the bot write to none of its recipients',
      );
      deps.metrics.undelivered.inc({ kind });
      await tally.add(kind);
    },
    async status(): Promise<UndeliveredStatus> {
      const { count, lastAt } = await tally.read();
      return { count, lastAt };
    },
  };
}

/** Counts what Slack did not do for a person who asked, by its code. The log has the error itself. */
export function createRefused(deps: { counters: Counters; log: Log; now: () => number }) {
  const tally = createTally('refused', deps);
  return {
    count(error: unknown): void {
      if (error instanceof PlatformError) void tally.add(error.code);
    },
    status: tally.read,
  };
}

/** What a message carries in its metadata, where the history of its conversation shows it. */
export interface Mark {
  event_type: string;
  event_payload: Readonly<Record<string, string | number>>;
}

/** Messages in one page of a conversation's history, and the pages that a look reads at most. */
const pageSize = 200;
const pagesAtMost = 10;

/**
 * Looks for a message in a conversation, or in a thread there, the youngest first.
 *
 * @param options.after the `ts` of an older message, which bounds the look
 * @returns its `ts`
 * @throws {PlatformError}
 */
async function findMessage(
  client: WebClient,
  channel: string,
  mark: Mark,
  { threadTs, after }: { threadTs?: string | undefined; after?: string | undefined },
): Promise<string | undefined> {
  return callSlack(async () => {
    for (let page = 0, cursor: string | undefined; page < pagesAtMost; page += 1) {
      const query = {
        channel,
        include_all_metadata: true,
        limit: pageSize,
        ...(after && { oldest: after }),
        ...(cursor && { cursor }),
      };
      const { messages = [], response_metadata } =
        threadTs === undefined
          ? await client.conversations.history(query)
          : await client.conversations.replies({ ...query, ts: threadTs });
      const found = messages.find(({ metadata }) => hasMark(metadata, mark));
      if (found) return found.ts;
      cursor = response_metadata?.next_cursor;
      if (!cursor) return undefined;
    }
    return undefined;
  });
}

function hasMark(
  metadata: { event_type?: string | undefined; event_payload?: object | undefined } | undefined,
  { event_type, event_payload }: Mark,
): boolean {
  const payload = (metadata?.event_payload ?? {}) as Record<string, unknown>;
  return (
    metadata?.event_type === event_type &&
    Object.entries(event_payload).every(([name, value]) => payload[name] === value)
  );
}
