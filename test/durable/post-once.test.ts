import { describe, expect, test } from 'vitest';
import type { Announcement } from '../../src/domain/announcement.ts';
import type { PlatformErrorKind } from '../../src/domain/errors.ts';
import { createPostOnce, outcomeOfPost } from '../../src/durable/post-once.ts';
import { submission } from '../support/builders/alerts.ts';
import { createMemoryChannel, platformError } from '../support/memory-channel.ts';

const now = 1_000_000;
const sent = { channelId: 'C1', key: 'k-1', inFlight: { startedAt: now } };
const announcement: Announcement = {
  kind: 'submissions',
  items: ['Rosa', 'Ravi'].map((name) => ({ submission: submission({ name }), showsNames: true })),
  postedAt: now,
};
const post = { ...sent, announcement };

describe('the answer to a post', () => {
  test('says that it is there', () => {
    expect(outcomeOfPost(post, '17', now)).toEqual({ kind: 'posted', messageId: '17', isFound: false });
  });

  test.each<[PlatformErrorKind, string, boolean | undefined]>([
    ['unclear', 'failed', true],
    ['rate_limited', 'failed', false],
    ['refused', 'failed', false],
    ['thread_gone', 'failed', false],
    ['closed', 'closed', false],
    ['forbidden', 'closed', false],
    ['too_long', 'too long', undefined],
    ['bad_message', 'bad', undefined],
  ])('%s', (kind, outcome, mayBeThere) => {
    const error = platformError(kind);
    expect(outcomeOfPost(post, error, now)).toEqual({
      kind: outcome,
      error,
      ...(mayBeThere !== undefined && { mayBeThere }),
    });
  });

  test('is that it is bad where it is too long and cannot be shorter', () => {
    const one = { ...announcement, items: announcement.items.slice(0, 1) };
    expect(outcomeOfPost({ ...sent, announcement: one }, platformError('too_long'), now).kind).toBe('bad');
  });
});

describe('a look for a message whose answer was lost', () => {
  test.each([
    [0, 2_000],
    [2_000, 5_000],
    [5_000, 10_000],
    [19_999, 20_000],
    [20_000, 40_000],
  ])('that sees nothing %i ms after the post is followed by one after %i ms', (afterMs, nextMs) => {
    expect(outcomeOfPost(sent, undefined, now + afterMs)).toEqual({ kind: 'look again', at: now + nextMs });
  });

  test.each([
    ['40 seconds after the post', undefined, now + 40_000],
    ['after the clock was set back', undefined, now - 1],
    ['in a thread that is gone', platformError('thread_gone'), now],
    ['of a form that the platform refuses', platformError('bad_message'), now],
  ] as const)('has it posted again %s', (_, answer, at) => {
    expect(outcomeOfPost(sent, answer, at)).toEqual({ kind: 'not there' });
  });

  test.each([
    ['unclear', 'failed'],
    ['rate_limited', 'failed'],
    ['refused', 'failed'],
    ['closed', 'closed'],
    ['forbidden', 'closed'],
  ] as const)('that fails (%s) is repeated, however late it is', (kind, outcome) => {
    expect(outcomeOfPost(sent, platformError(kind), now + 3_600_000)).toMatchObject({
      kind: outcome,
      mayBeThere: true,
    });
  });
});

test('what cannot be made into a message is an answer, and is reported', async () => {
  const { channel, posted } = createMemoryChannel();
  const reported: [string, string][] = [];
  const once = createPostOnce<string>(
    {
      ...channel,
      find: () => Promise.reject(new TypeError('of undefined')),
    },
    ({ code, kind }, seen) => void reported.push([seen, `${kind} ${code}`]),
  );
  expect(await once.do({ ...post, threadId: 't-1' }, 'the post')).toBe('1');
  expect(posted).toEqual([expect.objectContaining({ channelId: 'C1', key: 'k-1', threadId: 't-1' })]);
  expect(await once.look(sent, 'the look')).toMatchObject({ kind: 'bad_message' });
  expect(reported).toEqual([['the look', 'bad_message unforeseen']]);
});
