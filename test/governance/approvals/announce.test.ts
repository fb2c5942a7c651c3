import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { createAnnounce, type Notifier } from '../../../src/governance/approvals/announce.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const message = { channel: 'C1', ts: '1' };
const decision = (verdict: NonNullable<ApprovalRequest['decision']>['verdict']) => ({ verdict, by: 'U00000ADA', comment: '', at: 1_400 });
const outcome = { kind: 'done', message: 'It is done.', at: 1_400 } as const;

type Options = Partial<Notifier> & { isFirst?: boolean; meanwhile?: (request: ApprovalRequest) => ApprovalRequest };

/** Announces the request as it is stored, on a platform that keeps a diary. By default, an earlier attempt may have been cut short. */
async function announce(request: ApprovalRequest, { isFirst = false, meanwhile, ...platform }: Options = {}) {
  const { approvals, close } = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  onTestFinished(() => close());
  await approvals.add(request);
  const diary: string[] = [];
  let writes = 0;
  const counting = { ...approvals, replace: (...args: Parameters<typeof approvals.replace>) => ((writes += 1), approvals.replace(...args)) };
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
    tell: async (_, stage) => void diary.push(`tell ${stage}`),
    async wasTold(_, stage) {
      diary.push(`look for ${stage}`);
      return false;
    },
    tellTrouble: async (_, trouble) => void diary.push(trouble),
    ...platform,
  };
  const announced = await createAnnounce({ approvals: counting, notifier: notifier as Notifier, log: recordingLog().log })({ request, version: 1 }, { isFirst });
  expect(announced).toEqual(await approvals.byId(request.teamId, request.id));
  return { diary, writes, ...announced.request };
}

const open = approvalRequest();
const stage = 'open after 0 failures';
const shown = { messages: [message], shown: stage } as const;
const closed = approvalRequest({ state: 'closed', decision: decision('approved'), outcome, posts: shown });

describe('a new request', () => {
  test('is posted, and written once', async () => {
    const { diary, posts, state, writes } = await announce(open, { isFirst: true });
    expect(diary).toEqual(['post']);
    expect(posts).toEqual(shown);
    expect([state, writes]).toEqual(['open', 1]);
  });

  test('that fewer people got than should has its requester told', async () => {
    const { diary } = await announce(open, { isFirst: true, post: async () => ({ posts: [message], trouble: 'The channel is archived.' }) });
    expect(diary).toEqual(['The channel is archived.']);
  });

  test('is left as it is where people see it already', async () => {
    const { diary, writes } = await announce({ ...open, posts: shown });
    expect([diary, writes]).toEqual([[], 0]);
  });

  test('that an earlier attempt may have posted is looked for, and brought up to date', async () => {
    const found = await announce(open, { findPosts: async () => [message] });
    expect(found.diary).toEqual(['show open in C1']);
    expect(found.posts).toEqual(shown);
    const lost = await announce(open);
    expect(lost.diary).toEqual(['look for posts', 'post']);
    expect(lost.posts).toEqual(shown);
  });
});

describe('the end of a request', () => {
  const ended = ['show closed in C1', 'tell closed'];

  test('is shown and told once, and is history then, in one write', async () => {
    const { diary, state, posts, writes } = await announce(closed, { isFirst: true });
    expect(diary).toEqual(ended);
    expect([state, writes]).toEqual(['announced', 1]);
    expect(posts).toEqual({ messages: [message], shown: 'closed', told: 'closed' });
  });

  test('that an earlier attempt may have announced is searched for before it is announced again', async () => {
    expect((await announce(closed, { wasTold: async () => true })).diary).toEqual(['show closed in C1']);
    expect((await announce(closed)).diary).toEqual(['show closed in C1', 'look for closed', 'tell closed']);
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

  test('is not told to the requester who withdrew it', async () => {
    const { diary, state } = await announce({ ...closed, decision: decision('withdrawn') });
    expect(diary).toEqual(['show closed in C1']);
    expect(state).toBe('announced');
  });

  test('is shown in messages whose posting was cut short, and posted nowhere for the first time', async () => {
    const unseen = { ...closed, posts: { messages: [] } };
    const nowhere = await announce(unseen, { isFirst: true });
    expect(nowhere.diary).toEqual(['look for posts', 'tell closed']);
    expect(nowhere.state).toBe('announced');
    const found = await announce(unseen, { isFirst: true, findPosts: async () => [message] });
    expect(found.diary).toEqual(ended);
    expect(found.posts.messages).toEqual([message]);
  });
});

describe('a failed run', () => {
  const failed = { ...open, failures: 2, posts: shown };

  test('is shown and told, in one write', async () => {
    const { diary, state, posts, writes } = await announce(failed, { isFirst: true });
    expect(diary).toEqual(['show open in C1', 'tell open after 2 failures']);
    expect([state, writes]).toEqual(['open', 1]);
    expect(posts).toEqual({ messages: [message], shown: 'open after 2 failures', told: 'open after 2 failures' });
  });

  test('that was posted is announced to the requester', async () => {
    const { diary, posts } = await announce({ ...failed, posts: { ...shown, shown: 'open after 2 failures' } });
    expect(diary).toEqual(['look for open after 2 failures', 'tell open after 2 failures']);
    expect(posts.told).toBe('open after 2 failures');
  });

  test('of a request that nobody saw yet is posted, after its messages were looked for', async () => {
    const { diary, posts } = await announce({ ...failed, posts: { messages: [] } }, { isFirst: true });
    expect(diary).toEqual(['look for posts', 'post', 'tell open after 2 failures']);
    expect(posts).toEqual({ messages: [message], shown: 'open after 2 failures', told: 'open after 2 failures' });
  });

  test('is not told again where it was', async () => {
    const { diary, writes } = await announce({ ...failed, posts: { messages: [message], shown: 'open after 2 failures', told: 'open after 2 failures' } });
    expect([diary, writes]).toEqual([[], 0]);
  });
});

test('a decision that is made while a request is announced stays', async () => {
  const decided = (request: ApprovalRequest) => ({ ...request, state: 'decided', decision: decision('denied') }) as const;
  const { state, posts, decision: made } = await announce({ ...open, failures: 1, posts: shown }, { isFirst: true, meanwhile: decided });
  expect([state, made?.verdict, posts.shown]).toEqual(['decided', 'denied', 'open after 1 failures']);
});

test.each(['decided', 'announced'] as const)('a request that is %s is not announced', async (state) => {
  const { diary, writes } = await announce({ ...closed, state });
  expect([diary, writes]).toEqual([[], 0]);
});

test('nothing is stored as shown that could not be shown', async () => {
  await expect(announce(closed, { update: () => Promise.reject(new Error('Slack is away')) })).rejects.toThrow('Slack is away');
});
