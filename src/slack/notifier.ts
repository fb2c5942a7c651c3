import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Notifier, Post } from '../governance/approvals/notifier.ts';
import type { Log } from '../observability/log.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { slackCodeOf } from './slack-code.ts';
import { approvalMessage, newsMessage, passwordMessage, reminderMessage, troubleMessage } from './views/approval.ts';
import type { Message } from './views/message.ts';

const requestEvent = 'approval_request';
const newsEvent = 'approval_news';

/** Slack's answers that say a channel cannot be used as things are, however often one tries. */
const channelTroubles: Readonly<Record<string, string>> = {
  channel_not_found: 'the bot does not know it',
  not_in_channel: 'the bot is not in it',
  is_archived: 'it is archived',
  restricted_action: 'the bot may not post in it',
};

/**
 * Requests in Slack: in the approvals channel, or where there is none that can be used, in direct messages
 * to the administrators.
 *
 * @param deps.client does not try again by itself, since posting twice shows twice; what failed is looked up and done later
 */
export function createNotifier(deps: {
  client: WebClient;
  /** The approvals channel. */
  channel: string | undefined;
  /** Slack ids of those who may decide on everything. */
  administrators: () => Promise<string[]>;
  allowsSelfApproval: boolean;
  timeZone: string;
  log: Log;
}): Notifier {
  const { client, channel, timeZone, log } = deps;
  const quiet = { unfurl_links: false, unfurl_media: false };

  async function postTo(where: string, message: Message, event: string, payload: Record<string, string>): Promise<Post> {
    const metadata = { event_type: event, event_payload: payload };
    const posted = await client.chat.postMessage({ channel: where, ...message, metadata, ...quiet });
    return { channel: posted.channel ?? where, ts: posted.ts ?? '' };
  }

  async function post(request: ApprovalRequest): ReturnType<Notifier['post']> {
    const message = approvalMessage(request, timeZone);
    const payload = { request_id: request.id };
    let trouble: string | undefined;
    if (channel !== undefined) {
      try {
        return { posts: [await postTo(channel, message, requestEvent, payload)] };
      } catch (error) {
        const why = channelTroubles[slackCodeOf(error) ?? ''];
        if (why === undefined) throw error;
        log.error({ error, channel }, 'APPROVALS_CHANNEL cannot be used: requests go to the administrators directly. Invite the bot, or set another channel');
        trouble = `The channel for approvals cannot be used (${why}), so the administrators got it directly.`;
      }
    }
    const posts: Post[] = [];
    for (const personId of await reviewers(request)) posts.push(await postTo(personId, message, requestEvent, payload));
    if (posts.length === 0) trouble = 'There is no other administrator in Slack who could decide. Ask one of the quiz account to join, or have a channel set for approvals.';
    return trouble === undefined ? { posts } : { posts, trouble };
  }

  async function reviewers({ requesterId }: ApprovalRequest): Promise<string[]> {
    return (await deps.administrators()).filter((personId) => personId !== requesterId || deps.allowsSelfApproval);
  }

  /** The bot's messages about a request since it was asked. */
  async function find(where: string, request: ApprovalRequest, event: string, stage?: string): Promise<Post[]> {
    const oldest = String(Math.floor(request.createdAt / 1000) - 60);
    const { messages = [] } = await client.conversations.history({ channel: where, oldest, include_all_metadata: true, limit: 200 });
    return messages
      .filter(({ metadata }) => {
        const told = (metadata?.event_payload ?? {}) as Record<string, unknown>;
        return metadata?.event_type === event && told['request_id'] === request.id && (stage === undefined || told['stage'] === stage);
      })
      .map(({ ts = '' }) => ({ channel: where, ts }));
  }

  async function directMessages(personId: string): Promise<string> {
    const { channel: conversation } = await client.conversations.open({ users: personId });
    return conversation?.id ?? personId;
  }

  async function change({ channel: where, ts }: Post, blocks: KnownBlock[], text: string): Promise<void> {
    try {
      await client.chat.update({ channel: where, ts, text, blocks });
    } catch (error) {
      // What nobody can see any more cannot show anything else; the audit trail has it all the same.
      if (slackCodeOf(error) === undefined || slackCodeOf(error) === 'ratelimited') throw error;
      log.warn({ error, channel: where }, 'the message of a request cannot be changed any more');
    }
  }

  return {
    post,
    async findPosts(request) {
      const places = channel === undefined ? [] : [channel];
      for (const personId of await reviewers(request)) places.push(await directMessages(personId));
      const found = await Promise.all(places.map((where) => find(where, request, requestEvent).catch(nowhere)));
      return found.flat();
    },
    async update(request, shown) {
      const { text, blocks } = approvalMessage(request, timeZone);
      await change(shown, blocks, text);
    },
    async remind(request) {
      const message = reminderMessage(request, timeZone);
      for (const { channel: where, ts } of request.posts.messages) {
        await client.chat.postMessage({ channel: where, thread_ts: ts, reply_broadcast: true, ...message, ...quiet });
      }
    },
    async tell(request, stage) {
      await postTo(request.requesterId, newsMessage(request), newsEvent, { request_id: request.id, stage });
    },
    async wasTold(request, stage) {
      return (await find(await directMessages(request.requesterId), request, newsEvent, stage)).length > 0;
    },
    async tellTrouble(request, trouble) {
      await postTo(request.requesterId, troubleMessage(request, trouble), newsEvent, { request_id: request.id, stage: 'trouble' });
    },
    async postEphemeralPassword({ requesterId }, password) {
      await client.chat.postEphemeral({ channel: await directMessages(requesterId), user: requesterId, ...passwordMessage(password) });
    },
  };
}

function nowhere(error: unknown): Post[] {
  if (slackCodeOf(error) === undefined) throw error;
  return [];
}
