import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnnounce } from '../../../src/governance/approvals/announce.ts';
import type { Notifier } from '../../../src/governance/approvals/notifier.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const message = { channel: 'C1', ts: '1' };
const decision = (verdict: NonNullable<ApprovalRequest['decision']>['verdict']) => ({ verdict, by: 'U00000ADA', comment: '', at: 1_400 });
const outcome = { kind: 'done', message: 'It is done.', at: 1_400 } as const;

/** Announces the request as it is kept, to a Slack that keeps a diary. */
async function announce(request: ApprovalRequest, slack: Partial<Notifier> = {}) {
  const { approvals, close } = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  onTestFinished(() => close());
  await approvals.add(request);
  const diary: string[] = [];
  const kept = async () => (await approvals.byId(request.teamId, request.id))!.request;
  const notifier: Partial<Notifier> = {
    async post() {
      diary.push(`post, the intent being ${(await kept()).posts.messagesIntent ? 'kept' : 'lost'}`);
      return { posts: [message] };
    },
    findPosts: async () => [],
    update: async ({ state }, post) => void diary.push(`show ${state} in ${post.channel}`),
    async tell(_, stage) {
      diary.push(`tell ${stage}, the intent being ${(await kept()).posts.toldIntent === stage ? 'kept' : 'lost'}`);
    },
    wasTold: async () => false,
    tellTrouble: async (_, trouble) => void diary.push(trouble),
    ...slack,
  };
  const announced = await createAnnounce({ approvals, notifier: notifier as Notifier, log: recordingLog().log })(request);
  expect(announced).toEqual(await kept());
  return { diary, ...announced };
}

const open = approvalRequest();
const stage = 'open after 0 failures';
const shown = { messages: [message], messagesIntent: true, shown: stage } as const;
const closed = approvalRequest({ state: 'closed', decision: decision('approved'), outcome, posts: shown });

describe('a new request', () => {
  test('is posted, after it is kept that it is about to be', async () => {
    const { diary, posts, state } = await announce(open);
    expect(diary).toEqual(['post, the intent being kept']);
    expect(posts).toEqual(shown);
    expect(state).toBe('open');
  });

  test('of which nobody could be told as they should, has its requester know', async () => {
    const { diary } = await announce(open, { post: async () => ({ posts: [message], trouble: 'The channel is archived.' }) });
    expect(diary).toEqual(['The channel is archived.']);
  });

  test('is left as it is where people see it already', async () => {
    expect((await announce({ ...open, posts: shown })).diary).toEqual([]);
  });

  test('that a crash may have posted is looked for, and brought up to date', async () => {
    const found = await announce({ ...open, posts: { messages: [], messagesIntent: true } }, { findPosts: async () => [message] });
    expect(found.diary).toEqual(['show open in C1']);
    expect(found.posts).toEqual(shown);
    const lost = await announce({ ...open, posts: { messages: [], messagesIntent: true } });
    expect(lost.diary).toEqual(['post, the intent being kept']);
  });

  test('is not looked for where it was never about to be posted', async () => {
    const { diary } = await announce(open, { findPosts: async () => [message] });
    expect(diary).toEqual(['post, the intent being kept']);
  });
});

describe('the end of a request', () => {
  test('is shown and told once, and is history then', async () => {
    const { diary, state, posts } = await announce(closed);
    expect(diary).toEqual(['show closed in C1', 'tell closed, the intent being kept']);
    expect(state).toBe('announced');
    expect(posts).toMatchObject({ shown: 'closed', told: 'closed' });
  });

  test('that a crash may have told is looked up before it is told again', async () => {
    const cut = { ...closed, posts: { ...shown, toldIntent: 'closed' } };
    expect((await announce(cut, { wasTold: async () => true })).diary).toEqual(['show closed in C1']);
    expect((await announce(cut)).diary).toEqual(['show closed in C1', 'tell closed, the intent being kept']);
  });

  test('is told although the requester was told of something before', async () => {
    const { diary } = await announce({ ...closed, posts: { ...shown, toldIntent: stage, told: stage } }, { wasTold: async () => true });
    expect(diary).toEqual(['show closed in C1', 'tell closed, the intent being kept']);
  });

  test('is not told again where it was', async () => {
    const { diary, state } = await announce({ ...closed, posts: { ...shown, shown: 'closed', toldIntent: 'closed', told: 'closed' } });
    expect(diary).toEqual([]);
    expect(state).toBe('announced');
  });

  test('is not told to who withdrew it', async () => {
    const { diary, state } = await announce({ ...closed, decision: decision('withdrawn') });
    expect(diary).toEqual(['show closed in C1']);
    expect(state).toBe('announced');
  });

  test('is not posted where nobody has seen it open', async () => {
    const { diary } = await announce({ ...closed, posts: { messages: [] } });
    expect(diary).toEqual(['tell closed, the intent being kept']);
  });
});

test('a failed run is shown and told', async () => {
  const { diary, state } = await announce({ ...open, failures: 2, posts: shown });
  expect(diary).toEqual(['show open in C1', 'tell open after 2 failures, the intent being kept']);
  expect(state).toBe('open');
});

test.each(['decided', 'announced'] as const)('a request that is %s is not announced', async (state) => {
  expect((await announce({ ...closed, state })).diary).toEqual([]);
});

test('nothing is kept as shown that could not be shown', async () => {
  await expect(announce(closed, { update: () => Promise.reject(new Error('Slack is away')) })).rejects.toThrow('Slack is away');
});
