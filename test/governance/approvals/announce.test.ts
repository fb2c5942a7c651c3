import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { createAnnounce, type Notifier } from '../../../src/governance/approvals/announce.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const message = { channel: 'C1', ts: '1' };
/** No message of a request whose answer was lost arrives any more. */
const looksAreOver = approvalRequest().createdAt + 40_000;
const ofRequester = { channel: 'D1', ts: '2' };
const decision = (verdict: NonNullable<ApprovalRequest['decision']>['verdict']) => ({
  verdict,
  by: 'U00000ADA',
  comment: '',
  at: 1_400,
});
const outcome = { kind: 'done', message: 'It is done.', at: 1_400 } as const;

type Options = Partial<Notifier> & {
  isFirst?: boolean;
  now?: number;
  meanwhile?: (request: ApprovalRequest) => ApprovalRequest;
};

/** Announces the request as it is stored, on a platform that keeps a diary. By default, an earlier attempt may have been cut short. */
async function announce(
  request: ApprovalRequest,
  { isFirst = false, now = looksAreOver, meanwhile, ...platform }: Options = {},
) {
  const { approvals, close } = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  onTestFinished(() => close());
  await approvals.add(request);
  const diary: string[] = [];
  let writes = 0;
  const counting = {
    ...approvals,
    replace: (...args: Parameters<typeof approvals.replace>) => ((writes += 1), approvals.replace(...args)),
  };
  const notifier: Partial<Notifier> = {
    async post() {
      diary.push('post');
      return { posts: [message] };
    },
    async findPosts() {
      diary.push('look for posts');
      return [];
    },
    async update({ state }, post) {
      diary.push(`show ${state} in ${post.channel}`);
      if (meanwhile) await approvals.replace(meanwhile(request), 1);
    },
    async postToRequester({ state, posts }) {
      diary.push(`requester gets ${state}`);
      if (posts.trouble !== undefined) diary.push(posts.trouble);
      return ofRequester;
    },
    async findRequesterPost() {
      diary.push('look for requester’s post');
      return undefined;
    },
    async updateRequesterPost({ state }, post) {
      diary.push(`requester sees ${state} in ${post.channel}`);
      return true;
    },
    reply: async (_request, { channel }, newStage) => void diary.push(`reply ${newStage} in ${channel}`),
    async hasReplied(_request, _post, newStage) {
      diary.push(`look for reply ${newStage}`);
      return false;
    },
    ...platform,
  };
  const announced = await createAnnounce({
    approvals: counting,
    notifier: notifier as Notifier,
    now: () => now,
    log: recordingLog().log,
  })({ request, version: 1 }, { isFirst });
  expect(announced).toEqual(await approvals.byId(request.teamId, request.id));
  return { diary, writes, ...announced.request };
}

const open = approvalRequest();
const stage = 'open after 0 failures';
const shown = { messages: [message], shown: stage, requester: ofRequester, told: stage } as const;
const closed = approvalRequest({ state: 'closed', decision: decision('approved'), outcome, posts: shown });

describe('a new request', () => {
  test('is posted to reviewers and requester, and written once', async () => {
    const { diary, posts, state, writes } = await announce(open, { isFirst: true });
    expect(diary).toEqual(['post', 'requester gets open']);
    expect(posts).toEqual(shown);
    expect([state, writes]).toEqual(['open', 1]);
  });

  test('that fewer people got than should tells its requester why, and keeps that', async () => {
    const trouble = 'The channel is archived.';
    const { diary, posts } = await announce(open, { isFirst: true, post: async () => ({ posts: [message], trouble }) });
    expect(diary).toEqual(['requester gets open', trouble]);
    expect(posts).toEqual({ ...shown, trouble });
  });

  test('is left as it is where people see it already', async () => {
    const { diary, writes } = await announce({ ...open, posts: shown });
    expect([diary, writes]).toEqual([[], 0]);
  });

  test('that an earlier attempt may have posted is looked for, and brought up to date', async () => {
    const found = await announce(open, {
      findPosts: async () => [message],
      findRequesterPost: async () => ofRequester,
    });
    expect(found.diary).toEqual(['show open in C1', 'requester sees open in D1']);
    expect(found.posts).toEqual(shown);
    const lost = await announce(open);
    expect(lost.diary).toEqual(['look for posts', 'post', 'look for requester’s post', 'requester gets open']);
    expect(lost.posts).toEqual(shown);
  });

  test('is not posted again while it may still arrive', async () => {
    const now = looksAreOver - 1;
    const posted: string[] = [];
    const post = async () => (posted.push('post'), { posts: [message] });
    await expect(announce(open, { now, post })).rejects.toThrow('it is looked for until');
    const postToRequester = async () => (posted.push('to its requester'), ofRequester);
    const findPosts = async () => [message];
    await expect(announce(open, { now, findPosts, postToRequester })).rejects.toThrow('it is looked for until');
    expect(posted).toEqual([]);
  });

  test('keeps what reviewers got when its requester cannot be told yet', async () => {
    const { approvals, close } = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
    onTestFinished(() => close());
    await approvals.add(open);
    const notifier: Partial<Notifier> = {
      post: async () => ({ posts: [message] }),
      postToRequester: () => Promise.reject(new Error('Slack is away')),
    };
    const announcing = createAnnounce({
      approvals,
      notifier: notifier as Notifier,
      now: () => 0,
      log: recordingLog().log,
    })({ request: open, version: 1 }, { isFirst: true });
    await expect(announcing).rejects.toThrow('Slack is away');
    expect((await approvals.byId(open.teamId, open.id))?.request.posts).toEqual({ messages: [message], shown: stage });
  });

  test('has no message of its requester where they cannot be written to, and does not try again', async () => {
    const { posts } = await announce(open, { isFirst: true, postToRequester: async () => undefined });
    expect(posts).toEqual({ messages: [message], shown: stage, told: stage });
    expect((await announce({ ...open, posts })).diary).toEqual([]);
  });

  test.each([
    ['a reminder', { isReminded: true }, `${stage}, reminded`, []],
    ['another reason', { reasonsAdded: 1 }, `${stage} and 1 more reasons`, ['show open in C1']],
  ])('shows its requester %s without a reply', async (_, more, told, before) => {
    const { diary, posts } = await announce({ ...open, ...more, posts: shown });
    expect(diary).toEqual([...before, 'requester sees open in D1']);
    expect(posts.told).toBe(told);
  });
});

describe('the end of a request', () => {
  const ended = ['show closed in C1', 'requester sees closed in D1', 'reply closed in D1'];

  test('is shown and told once, and is history then, in one write', async () => {
    const { diary, state, posts, writes } = await announce(closed, { isFirst: true });
    expect(diary).toEqual(ended);
    expect([state, writes]).toEqual(['announced', 1]);
    expect(posts).toEqual({ ...shown, shown: 'closed', told: 'closed' });
  });

  test('that an earlier attempt may have announced is searched for before it is announced again', async () => {
    expect((await announce(closed, { hasReplied: async () => true })).diary).toEqual(ended.slice(0, 2));
    expect((await announce(closed)).diary).toEqual([
      ...ended.slice(0, 2),
      'look for reply closed',
      'reply closed in D1',
    ]);
  });

  test('is announced although the requester was notified of a failure before', async () => {
    const told = { ...closed, failures: 1, posts: { ...shown, told: 'open after 1 failures' } };
    expect((await announce(told, { isFirst: true })).diary).toEqual(ended);
  });

  test('is not told again where it was', async () => {
    const { diary, state } = await announce({ ...closed, posts: { ...shown, shown: 'closed', told: 'closed' } });
    expect(diary).toEqual([]);
    expect(state).toBe('announced');
  });

  test('is shown to the requester who withdrew it, without a reply', async () => {
    const { diary, state } = await announce({ ...closed, decision: decision('withdrawn') });
    expect(diary).toEqual(['show closed in C1', 'requester sees closed in D1']);
    expect(state).toBe('announced');
  });

  test('is posted to a requester who has no message of it, which needs no reply, unless they withdrew it', async () => {
    const { requester: _none, ...before } = shown;
    const lacking = { ...closed, posts: before };
    expect((await announce(lacking, { isFirst: true })).diary).toEqual([
      'show closed in C1',
      'look for requester’s post',
      'requester gets closed',
    ]);
    expect((await announce({ ...lacking, decision: decision('withdrawn') })).diary).toEqual([
      'show closed in C1',
      'look for requester’s post',
    ]);
  });

  test('is posted again where the requester’s message is gone', async () => {
    const { diary, posts } = await announce(closed, {
      isFirst: true,
      updateRequesterPost: async () => false,
      postToRequester: async () => ({ channel: 'D1', ts: '3' }),
    });
    expect(diary).toEqual(['show closed in C1']);
    expect(posts.requester).toEqual({ channel: 'D1', ts: '3' });
  });

  test('is shown in messages whose posting was cut short, and posted nowhere for the first time', async () => {
    const unseen = { ...closed, posts: { messages: [], requester: ofRequester, told: stage } };
    const nowhere = await announce(unseen, { isFirst: true });
    expect(nowhere.diary).toEqual(['look for posts', ...ended.slice(1)]);
    expect(nowhere.state).toBe('announced');
    const found = await announce(unseen, { isFirst: true, findPosts: async () => [message] });
    expect(found.diary).toEqual(ended);
    expect(found.posts.messages).toEqual([message]);
  });
});

describe('a failed run', () => {
  const failed = { ...open, failures: 2, posts: shown };
  const second = 'open after 2 failures';

  test('is shown and told, in one write', async () => {
    const { diary, state, posts, writes } = await announce(failed, { isFirst: true });
    expect(diary).toEqual(['show open in C1', 'requester sees open in D1', `reply ${second} in D1`]);
    expect([state, writes]).toEqual(['open', 1]);
    expect(posts).toEqual({ ...shown, shown: second, told: second });
  });

  test('that was posted is announced to the requester', async () => {
    const { diary, posts } = await announce({ ...failed, posts: { ...shown, shown: second } });
    expect(diary).toEqual(['requester sees open in D1', `look for reply ${second}`, `reply ${second} in D1`]);
    expect(posts.told).toBe(second);
  });

  test('of a request that nobody saw yet is posted, after its messages were looked for', async () => {
    const { diary, posts } = await announce({ ...failed, posts: { messages: [] } }, { isFirst: true });
    expect(diary).toEqual(['look for posts', 'post', 'look for requester’s post', 'requester gets open']);
    expect(posts).toEqual({ ...shown, shown: second, told: second });
  });

  test('is not told again where it was, though a reminder comes after it', async () => {
    const told = { ...failed, posts: { ...shown, shown: second, told: second } };
    const { diary, writes } = await announce(told);
    expect([diary, writes]).toEqual([[], 0]);
    expect((await announce({ ...told, isReminded: true })).diary).toEqual(['requester sees open in D1']);
  });
});

test('a decision that is made while a request is announced stays', async () => {
  const decided = (request: ApprovalRequest) =>
    ({ ...request, state: 'decided', decision: decision('denied') }) as const;
  const {
    state,
    posts,
    decision: made,
  } = await announce({ ...open, failures: 1, posts: shown }, { isFirst: true, meanwhile: decided });
  expect([state, made?.verdict, posts.shown]).toEqual(['decided', 'denied', 'open after 1 failures']);
});

test.each(['decided', 'announced'] as const)('a request that is %s is not announced', async (state) => {
  const { diary, writes } = await announce({ ...closed, state });
  expect([diary, writes]).toEqual([[], 0]);
});

test('nothing is stored as shown that could not be shown', async () => {
  await expect(announce(closed, { update: () => Promise.reject(new Error('Slack is away')) })).rejects.toThrow(
    'Slack is away',
  );
});
