import type { Notifier, Post } from '../../src/governance/approvals/announce.ts';
import type { ApprovalRequest } from '../../src/domain/approval-request.ts';

/** A call that is on its way to Slack: what it says was decided when it left. */
interface HeldCall {
  left: Promise<void>;
  arrive(): void;
}

/** What reviewers and a requester see of one request, in the order in which it arrived, whichever instance sent it. */
export interface ApprovalsWall {
  notifier: Partial<Notifier>;
  /** Of the reviewers’ message: `open: She has left`, `withdrawn: She has left`. */
  reviewers: string[];
  /** Of the requester’s message. */
  requester: string[];
  replies: string[];
  /** Holds the next call with this name until it may arrive. */
  hold(call: 'post' | 'update' | 'updateRequesterPost'): HeldCall;
}

/** @param delay awaited by each call before it arrives, and again before it is answered */
export function openWall(delay: () => Promise<void> = async () => {}): ApprovalsWall {
  const [reviewers, requester, replies]: [string[], string[], string[]] = [[], [], []];
  const held = new Map<string, { leave: () => void; arrived: Promise<void> }>();

  async function send(call: string, seen: string[], content: string): Promise<void> {
    const hold = held.get(call);
    held.delete(call);
    hold?.leave();
    await hold?.arrived;
    await delay();
    seen.push(content);
    await delay();
  }

  const postIn = (channel: string, seen: readonly string[]): Post[] => (seen.length > 0 ? [{ channel, ts: '1' }] : []);
  const notifier: Partial<Notifier> = {
    async post(request) {
      await send('post', reviewers, contentOf(request));
      return { posts: postIn('C1', reviewers) };
    },
    findPosts: async () => postIn('C1', reviewers),
    update: async (request) => send('update', reviewers, contentOf(request)),
    async postToRequester(request) {
      await send('postToRequester', requester, contentOf(request));
      return postIn('D1', requester)[0];
    },
    findRequesterPost: async () => postIn('D1', requester)[0],
    async updateRequesterPost(request) {
      await send('updateRequesterPost', requester, contentOf(request));
      return true;
    },
    reply: async (_request, _post, stage) => send('reply', replies, stage),
    hasReplied: async (_request, _post, stage) => replies.includes(stage),
  };
  return {
    notifier,
    reviewers,
    requester,
    replies,
    hold(call) {
      const [left, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.set(call, { leave: left.resolve, arrived: arrived.promise });
      return { left: left.promise, arrive: arrived.resolve };
    },
  };
}

function contentOf({ state, decision, reason }: ApprovalRequest): string {
  return `${decision?.verdict ?? state}: ${reason}`;
}
