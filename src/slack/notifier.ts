import type { WebClient } from '@slack/web-api';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { PlatformError } from '../domain/errors.ts';
import type { Notifier, Post } from '../governance/approvals/announce.ts';
import type { Log } from '../observability/log.ts';
import { operationNamed } from '../operations/catalog.ts';
import type { OpenDirectMessages } from './direct-messages.ts';
import type { FindAdministrators } from './people.ts';
import { callSlack, closedReason } from './errors.ts';
import { approvalMessage, newsMessage, reminderMessage, troubleMessage } from './views/approval.ts';
import type { Message } from './views/message.ts';
import { passwordOfferMessage } from './views/password.ts';

const requestEvent = 'approval_request';
const newsEvent = 'approval_news';
const noUnfurling = { unfurl_links: false, unfurl_media: false };

/**
 * Posts requests for approval in the approvals channel or, where that cannot be used, to each administrator directly.
 * All its functions throw `PlatformError`.
 *
 * @param deps.client does not retry, since `chat.postMessage` is not idempotent; the caller looks up what failed
 */
export function createNotifier(deps: {
  client: WebClient;
  /** The approvals channel. */
  channel: string | undefined;
  administrators: FindAdministrators;
  allowsSelfApproval: boolean;
  openDirectMessages: OpenDirectMessages;
  /** Called with a message whose recipients cannot be written to. */
  onNobodyTold: (kind: 'approval_request' | 'approval_news', facts: { request: string; people: readonly string[] }) => Promise<void>;
  timeZone: string;
  log: Log;
}): Notifier {
  const { client, channel, timeZone, log } = deps;

  async function postTo(conversation: string, { text, blocks }: Message, event: string, payload: Record<string, string>): Promise<Post> {
    const metadata = { event_type: event, event_payload: payload };
    const posted = await callSlack(async () => client.chat.postMessage({ channel: conversation, text, blocks, metadata, ...noUnfurling }));
    return { channel: posted.channel ?? conversation, ts: posted.ts ?? '' };
  }

  async function post(request: ApprovalRequest): ReturnType<Notifier['post']> {
    const message = approvalMessage(request, timeZone);
    const payload = { request_id: request.id };
    let trouble: string | undefined;
    if (channel !== undefined) {
      const posted = await unlessClosed(postTo(channel, message, requestEvent, payload));
      if (!(posted instanceof PlatformError)) return { posts: [posted] };
      log.error({ error: posted, channel }, 'APPROVALS_CHANNEL cannot be used: requests go to the administrators directly. Invite the bot, or set another channel');
      trouble = `The channel for approvals cannot be used (${closedReason(posted.code).inBrief}), so the administrators got it directly.`;
    }
    const people = await reviewers(request);
    const { posts, delayed } = await postToEach(people, message, payload);
    if (posts.length === 0 && delayed !== undefined) throw delayed;
    if (posts.length === 0) await deps.onNobodyTold('approval_request', { request: request.id, people });
    if (posts.length === 0) trouble = 'There is no other administrator in Slack who could decide. Ask one of the quiz account to join, or have a channel set for approvals.';
    return trouble === undefined ? { posts } : { posts, trouble };
  }

  /** A person who cannot be written to keeps no message from the others. @returns `delayed`: an error after which a later try may reach more */
  async function postToEach(people: readonly string[], message: Message, payload: Record<string, string>): Promise<{ posts: Post[]; delayed: PlatformError | undefined }> {
    const posts: Post[] = [];
    let delayed: PlatformError | undefined;
    for (const personId of people) {
      try {
        posts.push(await postTo(await deps.openDirectMessages(personId), message, requestEvent, payload));
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.kind !== 'closed') delayed = error;
        logUnreachable(error, personId);
      }
    }
    return { posts, delayed };
  }

  /** Tells the requester. News of a request ends with a requester who cannot be written to. */
  async function tellRequester(request: ApprovalRequest, message: Message, stage: string): Promise<void> {
    try {
      await postTo(await deps.openDirectMessages(request.requesterId), message, newsEvent, { request_id: request.id, stage });
    } catch (error) {
      if (!(error instanceof PlatformError && error.kind === 'closed')) throw error;
      log.warn({ error, person: request.requesterId, request: request.id }, 'the requester cannot be told about a request');
      await deps.onNobodyTold('approval_news', { request: request.id, people: [request.requesterId] });
    }
  }

  /** The administrators who may decide on it. It can hold addresses, which are not for the others. */
  async function reviewers({ operation, requesterId }: ApprovalRequest): Promise<string[]> {
    return (await deps.administrators(operationNamed(operation)?.right)).filter((personId) => personId !== requesterId || deps.allowsSelfApproval);
  }

  function logUnreachable(error: PlatformError, personId: string): void {
    log.warn({ error, person: personId }, 'an administrator cannot be reached; the others get the request');
  }

  /** Finds the bot's messages about a request since its creation. */
  async function find(conversation: string, request: ApprovalRequest, event: string, stage?: string): Promise<Post[]> {
    const oldest = String(Math.floor(request.createdAt / 1000) - 60);
    const { messages = [] } = await callSlack(async () => client.conversations.history({ channel: conversation, oldest, include_all_metadata: true, limit: 200 }));
    return messages
      .filter(({ metadata }) => {
        const payload = (metadata?.event_payload ?? {}) as Record<string, unknown>;
        return metadata?.event_type === event && payload['request_id'] === request.id && (stage === undefined || payload['stage'] === stage);
      })
      .map(({ ts = '' }) => ({ channel: conversation, ts }));
  }

  /** The conversations in which a request may be. */
  async function conversationsOf(request: ApprovalRequest): Promise<string[]> {
    const conversations = channel === undefined ? [] : [channel];
    for (const personId of await reviewers(request)) {
      const conversation = await unlessClosed(deps.openDirectMessages(personId));
      if (conversation instanceof PlatformError) logUnreachable(conversation, personId);
      else conversations.push(conversation);
    }
    return conversations;
  }

  return {
    post,
    async findPosts(request) {
      const conversations = await conversationsOf(request);
      const found = await Promise.all(conversations.map((conversation) => find(conversation, request, requestEvent).catch(noneWhereRefused)));
      return found.flat();
    },
    async update(request, { channel: conversation, ts }) {
      const { text, blocks } = approvalMessage(request, timeZone);
      try {
        await callSlack(async () => client.chat.update({ channel: conversation, ts, text, blocks }));
      } catch (error) {
        if (!isLasting(error)) throw error;
        log.warn({ error, channel: conversation }, 'the message of a request can no longer be updated');
      }
    },
    async remind(request) {
      const { text, blocks } = reminderMessage(request, timeZone);
      for (const { channel: conversation, ts } of request.posts.messages) {
        const reminded = await unlessClosed(callSlack(async () => client.chat.postMessage({ channel: conversation, thread_ts: ts, reply_broadcast: true, text, blocks, ...noUnfurling })));
        if (reminded instanceof PlatformError) log.warn({ error: reminded, channel: conversation }, 'nobody can be reminded of a request there');
      }
    },
    async tell(request, stage) {
      await tellRequester(request, newsMessage(request), stage);
    },
    async wasTold(request, stage) {
      const conversation = await unlessClosed(deps.openDirectMessages(request.requesterId));
      return conversation instanceof PlatformError ? false : (await find(conversation, request, newsEvent, stage).catch(noneWhereRefused)).length > 0;
    },
    async tellTrouble(request, trouble) {
      await tellRequester(request, troubleMessage(request, trouble), 'trouble');
    },
    async offerPassword(offer) {
      const { text, blocks } = passwordOfferMessage(offer);
      const conversation = await deps.openDirectMessages(offer.personId);
      await callSlack(async () => client.chat.postMessage({ channel: conversation, text, blocks, ...noUnfurling }));
    },
  };
}

/** @returns the error where the conversation cannot be used; other errors are thrown */
async function unlessClosed<Answer>(call: Promise<Answer>): Promise<Answer | PlatformError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'closed') return error;
    throw error;
  }
}

/** Whether the same call would fail again. */
function isLasting(error: unknown): boolean {
  return error instanceof PlatformError && error.kind !== 'rate_limited' && error.kind !== 'unclear';
}

function noneWhereRefused(error: unknown): Post[] {
  if (isLasting(error)) return [];
  throw error;
}
