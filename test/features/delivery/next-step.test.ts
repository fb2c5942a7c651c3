import { describe, expect, test } from 'vitest';
import {
  freshState,
  type ChannelState,
  type InFlightMessage,
  type Thread,
  pausedIn,
  stepBeforeEntries,
  stepForEntries,
  type QueueView,
} from '../../../src/features/delivery/next-step.ts';
import type { QueueEntry } from '../../../src/domain/queue-entry.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';

const now = 1_000_000;
const inFlight: InFlightMessage = { id: 'm-1', startedAt: now - 5_000, positions: [1] };
const fresh: Thread = {
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
  usedAt: now,
};
const stale: Thread = { ...fresh, shown: 1 };
const refresh = { kind: 'refresh', key: 'stale', thread: stale };

const view = (state: Partial<ChannelState> = {}, subscriptions: Subscription[] = [subscription()]): QueueView => ({
  state: { ...freshState, ...state },
  subscriptions,
  now,
});
const countAll = ({ items }: { items: readonly unknown[] }) => items.length;
const paused = (id: string, until: number | null) => subscription({ id, pause: { since: 1, until, by: 'U1' } });
const entry = (position: number, subscriptionId = 's-1'): QueueEntry => ({
  position,
  subscriptionId,
  at: now,
  content: { kind: 'submission', submission: submission() },
});

describe('before the entries are read', () => {
  test('nothing is decided in a quiet channel', () => {
    expect(stepBeforeEntries(view())).toBeUndefined();
    expect(stepBeforeEntries(view({ threads: { fresh } }))).toBeUndefined();
  });

  test('a channel of paused subscriptions waits until the first of the pauses ends', () => {
    expect(
      stepBeforeEntries(
        view({ inFlight, threads: { stale } }, [paused('s-1', null), paused('s-2', now + 9), paused('s-3', now + 5)]),
      ),
    ).toEqual({ kind: 'wait', until: now + 5 });
    expect(stepBeforeEntries(view({ inFlight }, [paused('s-1', null)]))).toEqual({ kind: 'wait', until: undefined });
  });

  test('a channel of which some subscriptions are paused, or with none at all, goes on', () => {
    expect(stepBeforeEntries(view({ inFlight }, [paused('s-1', null), subscription({ id: 's-2' })]))).toEqual({
      kind: 'resolve-uncertain',
      inFlight,
    });
    expect(stepBeforeEntries(view({ inFlight }, []))).toEqual({ kind: 'resolve-uncertain', inFlight });
    expect(stepBeforeEntries(view({ inFlight }, [paused('s-1', now)]))).toEqual({
      kind: 'resolve-uncertain',
      inFlight,
    });
  });

  test('a stale head is updated every ten seconds', () => {
    expect(stepBeforeEntries(view({ threads: { fresh, stale } }))).toEqual(refresh);
    expect(stepBeforeEntries(view({ threads: { stale }, refreshedAt: now - 10_000 }))).toEqual(refresh);
    expect(stepBeforeEntries(view({ threads: { stale }, refreshedAt: now - 9_999 }))).toBeUndefined();
    expect(stepBeforeEntries({ ...view({ threads: { stale } }), now: 9_999 })).toBeUndefined();
  });
});

describe('with the entries', () => {
  test('those without a subscription in the channel are dropped first', () => {
    expect(stepForEntries(view(), [entry(1), entry(2, 'gone'), entry(3, 'lost')], countAll)).toEqual({
      kind: 'discard',
      orphans: [entry(2, 'gone'), entry(3, 'lost')],
    });
  });

  test('the next message is posted, before a stale head is updated', () => {
    expect(stepForEntries(view({ threads: { stale } }), [entry(1)], countAll)).toMatchObject({
      kind: 'post',
      message: { positions: [1] },
    });
  });

  test('a thread goes on where it was begun', () => {
    const state = { threads: { 's-1/q-1/1970-01-01': fresh } };
    expect(
      stepForEntries(view(state, [subscription({ delivery: { kind: 'thread' } })]), [entry(1)], countAll),
    ).toMatchObject({ kind: 'post', message: { threadId: '5' } });
  });

  test('where there are none, a stale head is updated at once', () => {
    expect(stepForEntries(view({ threads: { fresh, stale }, refreshedAt: now }), [], countAll)).toEqual(refresh);
  });

  test('where there is nothing to do, the queue waits for the end of a pause or for something new', () => {
    expect(
      stepForEntries(view({}, [subscription(), paused('s-2', now + 5), paused('s-3', now + 7)]), [], countAll),
    ).toEqual({ kind: 'wait', until: now + 5 });
    expect(stepForEntries(view({}, [subscription(), paused('s-2', null)]), [], countAll)).toEqual({
      kind: 'wait',
      until: undefined,
    });
  });
});

test('pauses that are over do not count', () => {
  const subscriptions = [paused('s-1', now), paused('s-2', now + 1), paused('s-3', null), subscription({ id: 's-4' })];
  expect(pausedIn(view({}, subscriptions)).map(({ id }) => id)).toEqual(['s-2', 's-3']);
});
