import { describe, expect, test } from 'vitest';
import {
  afterRefreshed,
  afterRefreshFailed,
  freshState,
  isBusy,
  isStale,
  threadsAfter,
  type ChannelState,
  type InFlightMessage,
  type Thread,
} from '../../../src/features/delivery/next-step.ts';
import { platformError } from '../../support/memory-channel.ts';

const now = 10_000_000_000;
const hourMs = 3_600_000;

function thread(overrides: Partial<Thread> = {}): Thread {
  return {
    quizId: 'q-1',
    quizName: 'Fire safety',
    day: '2026-11-21',
    timeZone: 'UTC',
    messageId: '5',
    submitted: 2,
    passed: 1,
    failed: 1,
    unmarked: 0,
    scored: 2,
    percentagesTotal: 120,
    shown: 2,
    usedAt: now - hourMs,
    ...overrides,
  };
}

function state(overrides: Partial<ChannelState> = {}): ChannelState {
  return {
    threads: { known: thread() },
    failures: 3,
    notBefore: now - 1,
    refreshedAt: now - 5_000,
    lastMessageId: '7',
    ...overrides,
  };
}

const inFlight: InFlightMessage = { id: 'm-1', startedAt: now - 10, positions: [4] };
const reply: InFlightMessage = {
  ...inFlight,
  thread: { key: 'known', isParent: false, counted: thread({ submitted: 3, passed: 2, shown: 2 }) },
};
const head: InFlightMessage = {
  ...inFlight,
  thread: { key: 'new', isParent: true, counted: thread({ messageId: undefined, submitted: 0, shown: 1 }) },
};

test('a queue has nothing to do at first', () => {
  expect(freshState).toEqual({ threads: {}, failures: 0, notBefore: 0 });
  expect(isBusy(freshState)).toBe(false);
});

test('a thread is stale while its head shows fewer submissions than there are', () => {
  expect([
    isStale(thread()),
    isStale(thread({ submitted: 3 })),
    isStale(thread({ submitted: 3, messageId: undefined })),
  ]).toEqual([false, true, false]);
});

test('a queue is busy with a message in flight, or with the stale head of any thread', () => {
  expect(isBusy(state())).toBe(false);
  expect(isBusy(state({ inFlight }))).toBe(true);
  expect(isBusy(state({ threads: { known: thread(), stale: thread({ submitted: 9 }) } }))).toBe(true);
});

describe('after a message is posted', () => {
  test('a reply counts in its thread', () => {
    expect(threadsAfter(state(), reply, '8', now)).toEqual({ known: thread({ submitted: 3, passed: 2, usedAt: now }) });
  });

  test('a reply keeps what the head shows now, not what it showed when the reply was counted', () => {
    const refreshed = state({ threads: { known: thread({ shown: 1 }) } });
    expect(threadsAfter(refreshed, reply, '8', now)['known']?.shown).toBe(1);
    expect(threadsAfter(state({ threads: {} }), reply, '8', now)['known']).toEqual(
      thread({ submitted: 3, passed: 2, usedAt: now }),
    );
  });

  test('a head begins its thread', () => {
    const threads = threadsAfter(state({ threads: {} }), head, '8', now);
    expect(threads).toEqual({ new: thread({ messageId: '8', submitted: 0, shown: 1, usedAt: now }) });
  });

  test('a thread that was begun again shows what its new head shows', () => {
    const again: InFlightMessage = { ...head, thread: { ...head.thread!, key: 'known' } };
    expect(threadsAfter(state(), again, '8', now)['known']).toMatchObject({ messageId: '8', shown: 1 });
  });

  test('threads without a message for two days are forgotten', () => {
    const threads = {
      young: thread({ usedAt: now - 48 * hourMs + 1 }),
      old: thread({ usedAt: now - 48 * hourMs }),
      older: thread({ usedAt: now - 99 * hourMs }),
    };
    expect(Object.keys(threadsAfter(state({ threads }), inFlight, '8', now))).toEqual(['young']);
  });
});

describe('after an update of a head', () => {
  const stale = thread({ submitted: 9 });

  test('the head shows all submissions', () => {
    expect(afterRefreshed(state({ threads: { known: stale, other: thread() } }), 'known', stale, now)).toEqual(
      state({ refreshedAt: now, threads: { known: thread({ submitted: 9, shown: 9 }), other: thread() } }),
    );
  });

  test('a failure is tried again, unless the head can no longer be changed', () => {
    const before = state({ threads: { known: stale } });
    expect(afterRefreshFailed(before, 'known', platformError('refused'), now)).toEqual({
      ...before,
      failures: 4,
      restsFrom: now,
      notBefore: now + 8_000,
    });
    expect(afterRefreshFailed(before, 'known', platformError('unclear'), now)).toEqual({
      ...before,
      failures: 4,
      restsFrom: now,
      notBefore: now + 5_000,
    });
    for (const kind of ['thread_gone', 'closed'] as const)
      expect(afterRefreshFailed(before, 'known', platformError(kind), now)).toEqual(state({ threads: {} }));
  });
});
