import { describe, expect, test } from 'vitest';
import type { Announcement } from '../../src/domain/announcement.ts';
import type { PlatformErrorKind } from '../../src/domain/errors.ts';
import {
  afterFailure,
  afterRefused,
  createPoster,
  mostEntries,
  post,
  postingRestsUntil,
  retryPauseMs,
  settlePost,
  type Posting,
} from '../../src/durable/posting.ts';
import { submission } from '../support/builders/alerts.ts';
import { createMemoryChannel, platformError } from '../support/memory-channel.ts';
import { restFor, restsUntil } from '../../src/durable/machine.ts';

const now = 1_000_000;
const inFlight = { id: 'k-1', startedAt: now };
const state: Posting = { inFlight, failures: 3, notBefore: 0, lastMessageId: '7' };
const settled = { ...state, inFlight: undefined };
const look = { channelId: 'C1', inFlight };
const announcement: Announcement = {
  kind: 'submissions',
  items: ['Rosa', 'Ravi'].map((name) => ({ submission: submission({ name }), showsNames: true })),
  postedAt: now,
};
const sent = { ...look, announcement };
const resting = (pauseMs: number) => ({ restsFrom: now, notBefore: now + pauseMs });

test('a message is kept as in flight before it is sent', () => {
  expect(post({ failures: 0, notBefore: 0 }, sent)).toEqual({
    kind: 'do',
    deed: sent,
    keep: { kind: 'keep', state: { failures: 0, notBefore: 0, inFlight } },
  });
});

test('a message in flight gets two seconds, unless the clock was set back', () => {
  const inFlightUntil = (startedAt: number) =>
    postingRestsUntil({ ...state, inFlight: { ...inFlight, startedAt } }, now);
  expect([now, now - 1_999, now - 2_000, now + 1].map(inFlightUntil)).toEqual([
    now + 2_000,
    now + 1,
    undefined,
    undefined,
  ]);
  expect(postingRestsUntil({ ...state, ...resting(9) }, now)).toBe(now + 9);
});

describe('the answer to a post', () => {
  const after = (answer: Parameters<typeof settlePost>[2], deed: Parameters<typeof settlePost>[1] = sent) =>
    settlePost(state, deed, answer, now);

  test('says that it is there: the next one comes after a second, and is looked for after it', () => {
    const posted = { ...settled, failures: 0, problem: undefined, refused: undefined, ...resting(1_000) };
    const outcome = { kind: 'posted', messageId: '17', isFound: false };
    expect(after('17')).toEqual({ state: { ...posted, lastMessageId: '17' }, outcome });
    expect(after('17', { ...sent, threadId: '9' })).toEqual({ state: posted, outcome });
    expect(after('17', look).outcome).toEqual({ ...outcome, isFound: true });
  });

  test.each<[PlatformErrorKind, string, object]>([
    ['unclear', 'failed', { ...state, failures: 4, ...resting(5_000) }],
    ['rate_limited', 'failed', { ...settled, failures: 4, ...resting(8_000) }],
    ['refused', 'failed', { ...settled, failures: 4, ...resting(8_000) }],
    ['thread_gone', 'failed', { ...settled, failures: 4, ...resting(8_000) }],
    ['closed', 'closed', { ...settled, failures: 4, ...resting(8_000) }],
    ['forbidden', 'closed', { ...settled, failures: 4, ...resting(8_000) }],
    ['too_long', 'refused', settled],
    ['bad_message', 'refused', settled],
  ])('%s', (kind, outcome, next) => {
    const error = platformError(kind);
    expect(after(error)).toEqual({ state: next, outcome: { kind: outcome, error } });
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
    expect(settlePost(state, look, undefined, now + afterMs)).toEqual({
      state: { ...state, restsFrom: now + afterMs, notBefore: now + nextMs },
      outcome: { kind: 'unknown' },
    });
  });

  test.each([
    ['40 seconds after the post', undefined, now + 40_000],
    ['after the clock was set back', undefined, now - 1],
    ['in a thread that is gone', platformError('thread_gone'), now],
    ['of a form that the platform refuses', platformError('bad_message'), now],
  ] as const)('has it posted again %s', (_, answer, at) => {
    expect(settlePost(state, look, answer, at)).toEqual({ state: settled, outcome: { kind: 'unknown' } });
  });

  test.each([
    ['unclear', 'failed'],
    ['rate_limited', 'failed'],
    ['refused', 'failed'],
    ['closed', 'closed'],
    ['forbidden', 'closed'],
  ] as const)('that fails (%s) is repeated, however late it is', (kind, outcome) => {
    expect(settlePost(state, look, platformError(kind), now + 3_600_000)).toMatchObject({
      state: { inFlight, failures: 4 },
      outcome: { kind: outcome },
    });
  });
});

describe('a message that is refused for its length or its form', () => {
  test('is followed by ones of half as many entries, up to its last one', () => {
    const { state: next, isSetAside } = afterRefused(settled, { entries: 9, until: 20 }, now);
    expect([isSetAside, next]).toEqual([
      false,
      { ...settled, refused: { most: 4, until: 20, tries: 0 }, ...resting(1_000) },
    ]);
    expect([20, 21].map((position) => mostEntries(next, position))).toEqual([4, Infinity]);
    expect(afterRefused(next, { entries: 4, until: 15 }, now).state.refused).toEqual({ most: 2, until: 20, tries: 0 });
  });

  test('is set aside where its only entry is refused five times', () => {
    let next = { state: settled, isSetAside: false };
    const tries = Array.from({ length: 5 }, () => {
      next = afterRefused(next.state, { entries: 1, until: 4 }, now);
      return [next.isSetAside, next.state.refused?.tries];
    });
    expect(tries).toEqual([
      [false, 1],
      [false, 2],
      [false, 3],
      [false, 4],
      [true, undefined],
    ]);
    expect(next.state).toMatchObject({ failures: 0 });
  });
});

test('after failures, a mailbox waits as the platform asks, or longer from failure to failure', () => {
  expect(afterFailure(state, { retryAfterMs: 17 }, now)).toEqual({ ...state, failures: 4, ...resting(17) });
  const pauses = (kind: PlatformErrorKind, failures: readonly number[]) =>
    failures.map((count) => retryPauseMs(count, { kind, retryAfterMs: undefined }));
  expect(pauses('refused', [1, 9, 10, 99])).toEqual([1_000, 256_000, 300_000, 300_000]);
  // The platform is away: for ten minutes, it is asked every five seconds.
  expect(pauses('unclear', [1, 2, 3, 4, 120, 121])).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 300_000]);
});

test('what cannot be made into a message is an answer, and is reported', async () => {
  const { channel, posted } = createMemoryChannel();
  const reported: [string, string][] = [];
  const poster = createPoster<string>(
    {
      ...channel,
      find: () => Promise.reject(new TypeError('of undefined')),
    },
    ({ code, kind }, seen) => void reported.push([seen, `${kind} ${code}`]),
  );
  expect(await poster.do({ ...sent, threadId: 't-1' }, 'the post')).toBe('1');
  expect(posted).toEqual([expect.objectContaining({ channelId: 'C1', key: 'k-1', threadId: 't-1' })]);
  expect(await poster.look(look, 'the look')).toMatchObject({ kind: 'bad_message' });
  expect(reported).toEqual([['the look', 'bad_message unforeseen']]);
});

const begin = 1_800_000_000_000;

test('a pause lasts as long as it was meant to', () => {
  const rest = restFor(5_000, begin);
  expect([0, 4_999, 5_000].map((ms) => restsUntil(rest, begin + ms))).toEqual([
    begin + 5_000,
    begin + 5_000,
    undefined,
  ]);
});

test('a pause is over where the clock was set back to before it began', () => {
  for (const pauseMs of [1_000, 300_000, 3_600_000])
    for (const backMs of [1, 60_000, 3_600_000, 86_400_000])
      expect(restsUntil(restFor(pauseMs, begin), begin - backMs)).toBeUndefined();
});

test('a pause that an earlier version kept lasts until its end', () => {
  expect(restsUntil({ notBefore: begin + 5 }, begin)).toBe(begin + 5);
});
