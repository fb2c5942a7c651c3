import { maskAddresses } from '../../domain/mask-addresses.ts';
import type { ApprovalRequest, PasswordOffer, Posts, StoredRequest } from '../../domain/approval-request.ts';
import type { Log } from '../../observability/log.ts';
import type { Approvals } from '../../storage/storage.ts';
import { changeRequest } from './stored-request.ts';

/** A message that was posted. */
export interface Post {
  channel: string;
  ts: string;
}

/** Tells people about requests. After a crash, a call may be repeated. */
export interface Notifier {
  /** Shows a new request to those who can decide on it. `trouble` says why fewer people got it than should, for the requester. */
  post(request: ApprovalRequest): Promise<{ posts: Post[]; trouble?: string }>;
  tellTrouble(request: ApprovalRequest, trouble: string): Promise<void>;
  /** Finds the messages of an earlier `post` whose answer was lost. */
  findPosts(request: ApprovalRequest): Promise<Post[]>;
  /** Makes a message show the request as it is now. */
  update(request: ApprovalRequest, post: Post): Promise<void>;
  remind(request: ApprovalRequest): Promise<void>;
  /** Tells the requester what became of it. The message carries `stage`, for `wasTold`. */
  tell(request: ApprovalRequest, stage: string): Promise<void>;
  /** Whether an earlier `tell` of this stage arrived though its answer was lost. */
  wasTold(request: ApprovalRequest, stage: string): Promise<boolean>;
  /** Sends the person a button that sets a new password of a user and shows it to them. */
  offerPassword(offer: PasswordOffer): Promise<void>;
}

/**
 * Brings the messages about a request up to date with it.
 *
 * The stored request is itself the intent to announce it: it is written before anything is posted. The step that wrote
 * it announces it with `isFirst`; every later attempt first looks up which messages arrived.
 *
 * @param options.isFirst this call is the first to announce the stage that the request is in
 * @throws if the platform cannot be reached; the next call announces the rest
 */
export type Announce = (stored: StoredRequest, options: { isFirst: boolean }) => Promise<StoredRequest>;

export function createAnnounce(deps: { approvals: Approvals; notifier: Notifier; log: Log }): Announce {
  const { approvals, notifier, log } = deps;

  return async (stored, { isFirst }) => {
    const { request } = stored;
    if (request.state === 'decided' || request.state === 'announced') return stored;
    const stage = stageOf(request);
    const shown = shownStageOf(request);

    let current = stored;
    let { messages } = request.posts;
    if (request.posts.shown === undefined) {
      if (!(isFirst && stage === firstStage)) messages = await notifier.findPosts(request);
      // A closed request that nobody has seen stays unseen.
      if (messages.length === 0 && request.state === 'open') current = await post(stored);
    }
    if (current.request.posts.shown !== shown) {
      for (const message of messages) await notifier.update(request, message);
    }

    const isNews = request.failures > 0 || request.state === 'closed';
    const isKnown = request.decision?.verdict === 'withdrawn' || request.posts.told === stage;
    if (isNews && !isKnown && (isFirst || !(await notifier.wasTold(request, stage)))) await notifier.tell(request, stage);
    return finish(current, { ...current.request.posts, ...(current === stored && { messages }), shown, ...(isNews && { told: stage }) });
  };

  async function post(stored: StoredRequest): Promise<StoredRequest> {
    const { request } = stored;
    const { posts: messages, trouble } = await notifier.post(request);
    const posted = await keep(stored, { posts: { messages, shown: shownStageOf(request) } });
    if (trouble !== undefined) await notifier.tellTrouble(request, trouble);
    return posted;
  }

  /** One write for everything that was announced, if anything was. */
  async function finish(stored: StoredRequest, posts: Posts): Promise<StoredRequest> {
    const { request } = stored;
    if (request.state === 'closed') {
      log.debug({ request: request.id, verdict: request.decision?.verdict, outcome: request.outcome?.kind }, 'request announced');
      return keep(stored, { posts, state: 'announced' });
    }
    return request.posts.shown === posts.shown && request.posts.told === posts.told ? stored : keep(stored, { posts });
  }

  async function keep(stored: StoredRequest, announced: Pick<ApprovalRequest, 'posts'> & { state?: 'announced' }): Promise<StoredRequest> {
    // From then on, the request is only history, and kept for good.
    const edit = announced.state === undefined ? <Request>(request: Request) => request : maskAddresses;
    return (await changeRequest(approvals, stored, (last) => edit({ ...last, ...announced }))).stored;
  }
}

/** Changes whenever the messages have to show something new. A new reason is no news for the requester, who gave it. */
function shownStageOf(request: Pick<ApprovalRequest, 'state' | 'failures' | 'reasonsAdded'>): string {
  const { state, reasonsAdded = 0 } = request;
  return state === 'open' && reasonsAdded > 0 ? `${stageOf(request)} and ${reasonsAdded} more reasons` : stageOf(request);
}

/** Changes whenever the requester has to hear something new. */
function stageOf({ state, failures }: Pick<ApprovalRequest, 'state' | 'failures'>): string {
  return state === 'open' ? `open after ${failures} failures` : 'closed';
}

const firstStage = stageOf({ state: 'open', failures: 0 });
