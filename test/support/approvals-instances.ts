import { createAsk } from '../../src/governance/approvals/requests.ts';
import { suspendUser } from '../../src/features/users/state.ts';
import type { Storage } from '../../src/storage/records.ts';
import { openOffice, reviewerContext } from './approvals-bed.ts';
import type { Notifier, Post } from '../../src/governance/approvals/announce.ts';
import type { ApprovalRequest } from '../../src/domain/approval-request.ts';
import { approvalRequest } from './builders/governance.ts';
import { quizUser } from './builders/users.ts';
import { heldLease } from './held-lease.ts';

const { teamId, requesterId } = approvalRequest();
export const ttlMs = 3_600_000;
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

type Options = { wall?: ApprovalsWall; sleep?: () => Promise<void> };

/** An instance for each storage, all before the same Slack. What they do in the background is awaited by `settled`. */
export function openInstances(storages: readonly Storage[], { wall = openWall(), sleep = nextTurn }: Options = {}) {
  const clock = { now: 1_000 };
  const inBackground: Promise<unknown>[] = [];
  const track = (work: Promise<unknown>) => void inBackground.push(work);
  const instances = storages.map((storage, n) => {
    const office = openOffice(storage, { now: () => clock.now, sleep, notifier: wall.notifier });
    const ask = createAsk({
      approvals: storage.approvals,
      ttlMs,
      now: () => clock.now,
      newId: () => `request-of-${n}`,
      announceNew: (added) => track(office.reconciler.announceNew(added)),
      announceAgain: ({ request }) => track(office.reconciler.reconcile(request)),
    });
    const request = async (reason: string) =>
      ask({
        teamId,
        personId: requesterId,
        operation: suspendUser,
        input: { user: quizUser() },
        reason,
        isOfStep: false,
        context: reviewerContext([]),
      });
    /** Decides on a request, after a look at it. */
    async function end(id: string, verdict: 'withdrawn' | 'denied' | 'approved') {
      const { decisions } = office;
      if (verdict === 'withdrawn') return decisions.withdraw({ teamId, id, personId: requesterId });
      const reviewer = { teamId, id, personId: 'U00000ADA' };
      await decisions.review(reviewer);
      return decisions.decide({ ...reviewer, verdict, comment: '' });
    }
    const stored = async (id: string) => (await storage.approvals.byId(teamId, id))?.request;
    return { ...office, request, end, stored };
  });
  return {
    wall,
    clock,
    one: instances[0]!,
    two: instances.at(-1)!,
    instances,
    /** The step in the background that began last. */
    latest: () => inBackground.at(-1),
    async settled() {
      for (let work = inBackground.shift(); work; work = inBackground.shift()) await work;
    },
  };
}

/** Has `run` done once, when a step of the storage’s instance is over and still has its lease. */
export function beforeRelease(storage: Storage, run: () => Promise<unknown>): Storage {
  let isRun = false;
  return {
    ...storage,
    leases: {
      withLease: async (name, leaseMs, work) =>
        storage.leases.withLease(name, leaseMs, async (lease) => {
          const value = await work(lease);
          if (name.startsWith('request:') && !isRun) {
            isRun = true;
            await run();
          }
          return value;
        }),
    },
  };
}

/** An instance that believes to have every lease: it was frozen until another one took them over. */
export function withoutLeases(storage: Storage): Storage {
  return {
    ...storage,
    leases: {
      withLease: async (_name, _leaseMs, run) => ({ held: true, value: await run(heldLease) }),
    },
  };
}

/** A call that is on its way to Slack: what it says was decided when it left. */
interface HeldCall {
  left: Promise<void>;
  arrive(): void;
}

/** What reviewers and a requester see of one request, in the order in which it arrived, whichever instance sent it. */
interface ApprovalsWall {
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
