import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/records.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { inBothStores } from '../../support/open-stores.ts';
import { createAsk } from '../../../src/governance/approvals/requests.ts';
import { suspendUser } from '../../../src/features/users/state.ts';
import { openOffice, reviewerContext } from '../../support/approvals-bed.ts';
import type { Notifier, Post } from '../../../src/governance/approvals/announce.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { quizUser } from '../../support/builders/users.ts';
import { heldLease } from '../../support/held-lease.ts';
import { runs } from '../../support/drawn.ts';

const { teamId, requesterId } = approvalRequest();
const ttlMs = 3_600_000;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

type Options = { wall?: ApprovalsWall; sleep?: () => Promise<void> };

/** An instance for each storage, all before the same Slack. What they do in the background is awaited by `settled`. */
function openInstances(storages: readonly Storage[], { wall = openWall(), sleep = nextTurn }: Options = {}) {
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
function beforeRelease(storage: Storage, run: () => Promise<unknown>): Storage {
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
function withoutLeases(storage: Storage): Storage {
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
function openWall(delay: () => Promise<void> = async () => {}): ApprovalsWall {
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

inBothStores((openStorages) => {
  const both = 'open: Left · Added: Gone';

  test('a reason that is stored while the request is being posted is shown, too', async () => {
    const { wall, one, two, latest, settled } = openInstances(await openStorages());
    const posting = wall.hold('post');
    await one.request('Left');
    await posting.left;
    expect(await two.request('Gone')).toMatchObject({ reason: 'Left · Added: Gone' });
    expect(await latest()).toBeUndefined();
    posting.arrive();
    await settled();
    expect([wall.reviewers, wall.requester]).toEqual([
      ['open: Left', both],
      ['open: Left', both],
    ]);
  });

  test('a reason that is stored while an earlier one is being shown is shown after it', async () => {
    const { wall, one, two, latest, settled } = openInstances(await openStorages());
    await one.request('Left');
    await settled();
    const updating = wall.hold('update');
    await one.request('Gone');
    await updating.left;
    await two.request('Moved');
    expect(await latest()).toBeUndefined();
    updating.arrive();
    await settled();
    const all = ['open: Left', both, `${both} · Added: Moved`];
    expect([wall.reviewers, wall.requester]).toEqual([all, all]);
  });

  test('a reason that is stored when all is shown and the lease still held is shown, too', async () => {
    const [first, ...others] = await openStorages();
    const atTheEnd = beforeRelease(first!, async () => {
      await two.request('Gone');
      expect(await latest()).toBeUndefined();
    });
    const { wall, one, two, latest, settled } = openInstances([atTheEnd, ...others]);
    await one.request('Left');
    await settled();
    expect([wall.reviewers, wall.requester]).toEqual([
      ['open: Left', both],
      ['open: Left', both],
    ]);
  });

  test('reasons in any order and at any speed end with all of them shown, and none ever disappears', async () => {
    const ticks = fc.integer({ min: 0, max: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(ticks, fc.nat()), { minLength: 2, maxLength: 6 }),
        fc.array(ticks, { minLength: 1, maxLength: 12 }),
        async (asks, delays) => {
          let calls = 0;
          const wait = async (turns: number) => {
            for (let turn = 0; turn < turns; turn += 1) await nextTurn();
          };
          const wall = openWall(() => wait(delays[calls++ % delays.length]!));
          const { instances, settled } = openInstances(await openStorages(), { wall });
          const asked = await Promise.all(
            asks.map(async ([turns, at], n) => {
              await wait(turns);
              return instances[at % instances.length]!.request(`<${n}>`);
            }),
          );
          await settled();
          for (const seen of [wall.reviewers, wall.requester]) {
            const counts = seen.map((content) => content.split('<').length - 1);
            expect(counts).toEqual(counts.toSorted((a, b) => a - b));
            expect(counts.at(-1)).toBe(asks.length);
          }
          expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  describe('while its first post is under way, a request', () => {
    test.each(['withdrawn', 'denied', 'approved'] as const)(
      'that is %s ends as that, in every message',
      async (verdict) => {
        const wall = openWall();
        const posting = wall.hold('post');
        const { one, two, settled } = openInstances(await openStorages(), {
          wall,
          // The decision waits for the post.
          async sleep() {
            posting.arrive();
            await nextTurn();
          },
        });
        const { id } = await one.request('Left');
        await posting.left;
        await two.end(id, verdict);
        await settled();
        const contents = ['open: Left', `${verdict}: Left`];
        expect([wall.reviewers, wall.requester]).toEqual([contents, contents]);
        expect(wall.replies).toEqual(verdict === 'withdrawn' ? [] : ['closed']);
        expect(two.diary).toEqual(verdict === 'approved' ? ['run'] : []);
      },
    );

    test('whose decision gives up waiting for it is shown as decided by the next sweep', async () => {
      const { wall, one, two, settled } = openInstances(await openStorages());
      const posting = wall.hold('post');
      const { id } = await one.request('Left');
      await posting.left;
      expect(await two.end(id, 'denied')).toMatchObject({ kind: 'decided', request: { state: 'decided' } });
      posting.arrive();
      await settled();
      await two.reconciler.sweep(teamId);
      expect(wall.reviewers).toEqual(['open: Left', 'denied: Left']);
      expect(wall.requester.at(-1)).toBe('denied: Left');
    });

    test('that expires is shown as expired by the next sweep', async () => {
      const { wall, clock, one, two, settled } = openInstances(await openStorages());
      const posting = wall.hold('post');
      const { id } = await one.request('Left');
      await posting.left;
      clock.now += ttlMs;
      await two.reconciler.sweep(teamId);
      expect(wall.reviewers).toEqual([]);
      posting.arrive();
      await settled();
      await two.reconciler.sweep(teamId);
      const contents = ['open: Left', 'expired: Left'];
      expect([wall.reviewers, wall.requester]).toEqual([contents, contents]);
      expect(await two.stored(id)).toMatchObject({ state: 'announced', posts: { shown: 'closed', told: 'closed' } });
    });
  });

  test.each(['withdrawn', 'denied', 'approved'] as const)(
    'an older content that a frozen instance sends after the request was %s is put right, and told once',
    async (verdict) => {
      const storages = await openStorages();
      const { wall, one, two, settled } = openInstances([withoutLeases(storages[0]!), storages.at(-1)!]);
      const { id } = await one.request('Left');
      await settled();
      const updating = wall.hold('update');
      await one.request('Gone');
      await updating.left;
      await two.end(id, verdict);
      expect(wall.reviewers.at(-1)).toBe(`${verdict}: Left · Added: Gone`);
      updating.arrive();
      await settled();
      const ended = `${verdict}: Left · Added: Gone`;
      expect(wall.reviewers).toEqual(['open: Left', ended, both, ended]);
      expect(wall.requester.at(-1)).toBe(ended);
      expect(wall.replies).toEqual(verdict === 'withdrawn' ? [] : ['closed']);
      expect(await two.stored(id)).toMatchObject({ state: 'announced', posts: { shown: 'closed', told: 'closed' } });
    },
  );
});
