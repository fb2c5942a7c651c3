import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Finding } from '../../domain/finding.ts';
import { say } from '../../domain/said.ts';
import { findingLine } from '../../features/administration/pages/status.ts';
import { drawPage } from '../views/blocks/page.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Notifier, Post } from '../../governance/approvals/announce.ts';
import type { Log } from '../../observability/log.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import type { FindAdministrators } from '../people/addresses.ts';
import { closedReason } from '../errors.ts';
import {
  decisionPage,
  reminderPage,
  requesterPage,
  requestPage,
  type Deciders,
} from '../../features/administration/pages/requests.ts';
import type { Message } from '../views/blocks/message.ts';
import type { Mark, Posting } from './post.ts';
import { passwordOfferBlocks, passwordOfferMessage } from '../views/users/password.ts';

/** Types of message metadata. The payloads name the request, and that of a reply its stage. */
const requestEvent = 'approval_request';
const requesterEvent = 'approval_status';
const replyEvent = 'approval_news';

/**
 * Posts requests for approval in the approvals channel or, where that cannot be used, to each administrator directly, and
 * keeps one message in the requester’s direct messages up to date.
 * All its functions throw `PlatformError`.
 */
export function createNotifier(deps: {
  posting: Posting;
  /** The approvals channel. */
  channel: string | undefined;
  administrators: FindAdministrators;
  allowsSelfApproval: boolean;
  openDirectMessages: OpenDirectMessages;
  /** Called with a message whose recipients cannot be written to. */
  onNobodyTold: (
    kind: 'approval_request' | 'approval_news',
    facts: { request: string; people: readonly string[] },
  ) => Promise<void>;
  log: Log;
}): Notifier {
  const { posting, channel, log } = deps;

  async function post(request: ApprovalRequest): ReturnType<Notifier['post']> {
    const message = drawPage(requestPage(request));
    const mark = markOf(requestEvent, request);
    let trouble: string | undefined;
    if (channel !== undefined) {
      const posted = await unlessClosed(posting.post(channel, message, { mark }));
      if (!(posted instanceof PlatformError)) return { posts: [posted] };
      log.error(
        { error: posted, channel },
        'APPROVALS_CHANNEL cannot be used: requests go to the administrators directly. Invite the bot, or set another channel',
      );
      trouble = say`The approvals channel can’t be used (${closedReason(posted.code).why}), so administrators got your request as a direct message.`;
    }
    const people = await reviewers(request);
    const { posts, delayed } = await postToEach(people, message, mark);
    if (posts.length === 0 && delayed !== undefined) throw delayed;
    if (posts.length === 0) await deps.onNobodyTold('approval_request', { request: request.id, people });
    if (posts.length === 0)
      trouble = say`There’s no other administrator in Slack who can decide on this. Ask an administrator of the quiz account to join Slack, or ask for an approvals channel.`;
    return trouble === undefined ? { posts } : { posts, trouble };
  }

  /** A person who cannot be written to keeps no message from the others. @returns `delayed`: an error after which a later try may reach more */
  async function postToEach(people: readonly string[], message: Message, mark: Mark) {
    const posts: Post[] = [];
    let delayed: PlatformError | undefined;
    for (const personId of people) {
      try {
        posts.push(await posting.post(await deps.openDirectMessages(personId), message, { mark }));
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.kind !== 'closed') delayed = error;
        logUnreachable(error, personId);
      }
    }
    return { posts, delayed };
  }

  /** @returns undefined where the requester cannot be written to */
  async function postToRequester(request: ApprovalRequest): Promise<Post | undefined> {
    const message = requesterMessage(request, await decidersOn(request));
    const posted = await unlessClosed(
      deps
        .openDirectMessages(request.requesterId)
        .then((conversation) => posting.post(conversation, message, { mark: markOf(requesterEvent, request) })),
    );
    if (!(posted instanceof PlatformError)) return posted;
    log.warn(
      { error: posted, person: request.requesterId, request: request.id },
      'the requester cannot be told about a request',
    );
    await deps.onNobodyTold('approval_news', { request: request.id, people: [request.requesterId] });
    return undefined;
  }

  /** Where its messages are tells who can decide. */
  async function decidersOn(request: ApprovalRequest): Promise<Deciders> {
    const { messages } = request.posts;
    const isInChannel = channel !== undefined && messages.some((posted) => posted.channel === channel);
    if (isInChannel) return { kind: 'channel', channelId: channel };
    return {
      kind: 'people',
      personIds: request.state === 'open' && messages.length > 0 ? await reviewers(request) : [],
    };
  }

  /** @returns whether the message is still there */
  async function updateMessage(posted: Post, message: Message): Promise<boolean> {
    try {
      await posting.update(posted, message);
      return true;
    } catch (error) {
      if (!isLasting(error)) throw error;
      log.warn({ error, channel: posted.channel }, 'the message of a request can no longer be updated');
      return false;
    }
  }

  /** The administrators who may decide on it. It can hold addresses, which are not for the others. */
  async function reviewers({ operation, requesterId }: ApprovalRequest): Promise<string[]> {
    return (await deps.administrators(operationNamed(operation)?.right)).filter(
      (personId) => personId !== requesterId || deps.allowsSelfApproval,
    );
  }

  function logUnreachable(error: PlatformError, personId: string): void {
    log.warn({ error, person: personId }, 'an administrator cannot be reached; the others get the request');
  }

  /** Finds the bot's message about a request since its creation: in a conversation, or in one of its threads. */
  async function find(
    conversation: string,
    request: ApprovalRequest,
    event: string,
    thread?: { ts: string; stage: string },
  ): Promise<Post[]> {
    const after = String(Math.floor(request.createdAt / 1000) - 60);
    const mark = markOf(event, request, thread?.stage);
    const ts = await posting.find(conversation, mark, { threadTs: thread?.ts, after });
    return ts === undefined ? [] : [{ channel: conversation, ts }];
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
      const found = await Promise.all(
        conversations.map((conversation) => find(conversation, request, requestEvent).catch(noneWhereRefused)),
      );
      return found.flat();
    },
    async update(request, posted) {
      await updateMessage(posted, drawPage(requestPage(request)));
    },
    async remind(request) {
      const message = drawPage(reminderPage(request));
      for (const { channel: conversation, ts } of request.posts.messages) {
        const reminded = await unlessClosed(
          posting.post(conversation, message, { thread: { thread_ts: ts, reply_broadcast: true } }),
        );
        if (reminded instanceof PlatformError)
          log.warn({ error: reminded, channel: conversation }, 'nobody can be reminded of a request there');
      }
    },
    postToRequester,
    async findRequesterPost(request) {
      const conversation = await unlessClosed(deps.openDirectMessages(request.requesterId));
      if (conversation instanceof PlatformError) return undefined;
      const [found] = await find(conversation, request, requesterEvent).catch(noneWhereRefused);
      return found;
    },
    async updateRequesterPost(request, posted) {
      return updateMessage(posted, requesterMessage(request, await decidersOn(request)));
    },
    async reply(request, { channel: conversation, ts }, stage) {
      const replied = await unlessClosed(
        posting.post(conversation, drawPage(decisionPage(request)), {
          mark: markOf(replyEvent, request, stage),
          thread: { thread_ts: ts },
        }),
      );
      if (replied instanceof PlatformError)
        log.warn(
          { error: replied, person: request.requesterId, request: request.id },
          'the requester cannot be notified of a decision',
        );
    },
    async hasReplied(request, { channel: conversation, ts }, stage) {
      return (await find(conversation, request, replyEvent, { ts, stage }).catch(noneWhereRefused)).length > 0;
    },
    async offerPassword(offer) {
      await posting.post(await deps.openDirectMessages(offer.personId), passwordOfferMessage(offer));
    },
  };
}

function markOf(event: string, { id }: ApprovalRequest, stage?: string): Mark {
  return { event_type: event, event_payload: { request_id: id, ...(stage !== undefined && { stage }) } };
}

/** @returns the error where the conversation cannot be used; other errors are thrown */
async function unlessClosed<Answer>(call: Promise<Answer>): Promise<Answer | PlatformError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'closed' || error.kind === 'forbidden')) return error;
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

/** Tells each administrator directly about a finding. Rejects where none of them could be reached. */
export function createAdministratorNotice(deps: {
  posting: Posting;
  administrators: FindAdministrators;
  openDirectMessages: OpenDirectMessages;
}) {
  return async (finding: Finding): Promise<void> => {
    const message = drawPage({ heading: findingLine(finding) });
    const sent = await Promise.allSettled(
      (await deps.administrators()).map(async (personId) =>
        deps.posting.post(await deps.openDirectMessages(personId), message),
      ),
    );
    if (sent.length > 0 && sent.every(({ status }) => status === 'rejected'))
      throw (sent[0] as PromiseRejectedResult).reason;
  };
}

/** The one message that its requester has of a request, as it is now. */
function requesterMessage(request: ApprovalRequest, deciders: Deciders): Message {
  const message = drawPage(requesterPage(request, deciders));
  const offer = request.outcome?.passwordOffer;
  return offer?.personId === request.requesterId
    ? { ...message, blocks: [...message.blocks, ...passwordOfferBlocks(offer)] }
    : message;
}
