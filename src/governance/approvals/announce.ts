import { InvigilatorError } from '../../domain/errors.ts';
import { addressId } from '../../domain/erasure.ts';
import { maskAddresses } from '../../domain/address.ts';
import type { ApprovalRequest, PasswordOffer, Posts, StoredRequest } from '../../domain/approval-request.ts';
import type { Log } from '../../observability/log.ts';
import { nextLookAt } from '../../durable/posting.ts';
import { changeRequest, type Approvals } from '../../storage/records.ts';

/** A message that was posted. */
export interface Post {
  channel: string;
  ts: string;
}

/** Shows requests to people. After a crash, a call may be repeated. */
export interface Notifier {
  /** Shows a new request to the people who can decide on it. `trouble` tells its requester why fewer people got it than should. */
  post(request: ApprovalRequest): Promise<{ posts: Post[]; trouble?: string }>;
  /** Finds the messages of an earlier `post` whose answer was lost. */
  findPosts(request: ApprovalRequest): Promise<Post[]>;
  /** Makes a message show the request as it is now. */
  update(request: ApprovalRequest, post: Post): Promise<void>;
  remind(request: ApprovalRequest): Promise<void>;
  /** Shows the request to its requester. @returns undefined if they can’t be written to */
  postToRequester(request: ApprovalRequest): Promise<Post | undefined>;
  /** Finds the message of an earlier `postToRequester` whose answer was lost. */
  findRequesterPost(request: ApprovalRequest): Promise<Post | undefined>;
  /** Makes the requester’s message show the request as it is now. @returns whether the message is still there */
  updateRequesterPost(request: ApprovalRequest, post: Post): Promise<boolean>;
  /** Notifies the requester of a decision, in the thread of their message. The reply carries `stage`, for `hasReplied`. */
  reply(request: ApprovalRequest, post: Post, stage: string): Promise<void>;
  /** Whether an earlier `reply` of this stage arrived though its answer was lost. */
  hasReplied(request: ApprovalRequest, post: Post, stage: string): Promise<boolean>;
  /** Sends the person a button that sets a new password of a user and shows it to them. */
  offerPassword(offer: PasswordOffer): Promise<void>;
}

/**
 * Brings the messages about a request up to date with it.
 *
 * The stored request is itself the intent to announce it: it is written before anything is posted. The step that wrote
 * it announces it with `isFirst`; every later attempt first looks up which messages arrived, and posts again once the last
 * look is over. What is stored while a message is on its way is shown after it, so that the last content to arrive is that of
 * the stored request.
 *
 * @param options.isFirst this call is the first to announce the stage that the request is in
 * @throws if the platform cannot be reached, or a message may still arrive; the next call announces the rest
 */
export type Announce = (stored: StoredRequest, options: { isFirst: boolean }) => Promise<StoredRequest>;

/** A message whose answer was lost is not there, and may still arrive: nothing is posted in its place yet. */
class MayArriveError extends InvigilatorError {
  readonly code = 'may_arrive';
}

export function createAnnounce(deps: {
  approvals: Approvals;
  notifier: Notifier;
  now: () => number;
  log: Log;
}): Announce {
  const { approvals, notifier, now, log } = deps;

  return async (stored, { isFirst }) => {
    let announced = await announceAsRead(stored, isFirst);
    while (isBehind(announced.request)) announced = await announceAsRead(announced, false);
    return announced;
  };

  async function announceAsRead(stored: StoredRequest, isFirst: boolean): Promise<StoredRequest> {
    const { request } = stored;
    if (request.state === 'decided' || request.state === 'announced') return stored;
    let { posts } = request;
    try {
      posts = await showReviewers(request, isFirst);
      posts = await showRequester({ ...request, posts }, isFirst);
    } catch (error) {
      // What was posted is kept, so that the next attempt need not look for it.
      if (posts !== request.posts) await keep(stored, posts);
      throw error;
    }
    if (request.state === 'closed') {
      log.debug(
        { request: request.id, verdict: request.decision?.verdict, outcome: request.outcome?.kind },
        'request announced',
      );
    }
    return posts === request.posts && request.state === 'open' ? stored : keep(stored, posts);
  }

  async function showReviewers(request: ApprovalRequest, isFirst: boolean): Promise<Posts> {
    const { posts } = request;
    const shown = shownStageOf(request);
    if (posts.shown === shown) return posts;
    const isKnown = posts.shown !== undefined || (isFirst && stageOf(request) === firstStage);
    const messages = isKnown ? posts.messages : await notifier.findPosts(request);
    // A closed request that nobody has seen stays unseen.
    if (posts.shown === undefined && messages.length === 0 && request.state === 'open') {
      if (!isKnown) assertLooksAreOver(request);
      const { posts: posted, trouble } = await notifier.post(request);
      return { ...posts, messages: posted, shown, ...(trouble !== undefined && { trouble }) };
    }
    for (const message of messages) await notifier.update(request, message);
    return { ...posts, messages, shown };
  }

  function assertLooksAreOver({ createdAt }: ApprovalRequest): void {
    const at = nextLookAt(createdAt, now());
    if (at !== undefined) throw new MayArriveError(`it is looked for until ${new Date(at).toISOString()} and longer`);
  }

  /** The requester has one message, and a reply in its thread for each decision of somebody else. */
  async function showRequester(request: ApprovalRequest, isFirst: boolean): Promise<Posts> {
    const { posts } = request;
    const told = toldStageOf(request);
    if (posts.told === told) return posts;
    const isWithdrawn = request.decision?.verdict === 'withdrawn';
    const isNew = isFirst && told === firstStage;
    const known = posts.requester ?? (isNew ? undefined : await notifier.findRequesterPost(request));
    if (known === undefined && !isNew && !isWithdrawn) assertLooksAreOver(request);
    const isThere = known !== undefined && (await notifier.updateRequesterPost(request, known));
    // A new message notifies by itself. A requester who withdrew what no message showed needs none.
    const requester = isThere ? known : isWithdrawn ? undefined : await notifier.postToRequester(request);
    const stage = stageOf(request);
    const isDecision = stage !== firstStage && !isWithdrawn && !posts.told?.startsWith(stage);
    if (isThere && isDecision && (isFirst || !(await notifier.hasReplied(request, known, stage))))
      await notifier.reply(request, known, stage);
    return { ...posts, ...(requester && { requester }), told };
  }

  /** Keeps what people see. A request that ended is history, and kept for good, once they see that, and as long as they do. */
  async function keep(stored: StoredRequest, posts: Posts): Promise<StoredRequest> {
    const kept = await changeRequest(approvals, stored, (last) => {
      const request = { ...last, posts };
      if (last.state !== 'closed' && last.state !== 'announced') return request;
      return isShown(request) ? asHistory(request) : { ...request, state: 'closed' };
    });
    return kept.stored;
  }
}

/** Without addresses that could be written to. Who has one of them, and is erased, takes what was entered about them along. */
function asHistory(request: ApprovalRequest): ApprovalRequest {
  const found = Object.values(request.input).flatMap((texts) => texts.flatMap((text) => addressId(text) ?? []));
  const addressIds = request.state === 'announced' ? request.addressIds : found;
  return maskAddresses({ ...request, state: 'announced' as const, ...(addressIds?.length && { addressIds }) });
}

/** Whether people see less of a request than they should. What was decided is shown when it has been carried out. */
export function isBehind(request: ApprovalRequest): boolean {
  return (request.state === 'open' || request.state === 'closed') && !isShown(request);
}

function isShown(request: ApprovalRequest): boolean {
  return request.posts.shown === shownStageOf(request) && request.posts.told === toldStageOf(request);
}

/** Changes whenever the reviewers’ messages have to show something new. */
function shownStageOf(request: Pick<ApprovalRequest, 'state' | 'failures' | 'reasonsAdded'>): string {
  const { state, reasonsAdded = 0 } = request;
  return state === 'open' && reasonsAdded > 0
    ? `${stageOf(request)} and ${reasonsAdded} more reasons`
    : stageOf(request);
}

/** Changes whenever the requester’s message has to show something new. */
function toldStageOf(request: Pick<ApprovalRequest, 'state' | 'failures' | 'reasonsAdded' | 'isReminded'>): string {
  return request.state === 'open' && request.isReminded ? `${shownStageOf(request)}, reminded` : shownStageOf(request);
}

/** Changes with every decision. */
function stageOf({ state, failures }: Pick<ApprovalRequest, 'state' | 'failures'>): string {
  return state === 'open' ? `open after ${failures} failures` : 'closed';
}

const firstStage = stageOf({ state: 'open', failures: 0 });
