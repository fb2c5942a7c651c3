import { describe, expect, test } from 'vitest';
import { entriesFor } from '../../src/alerts/wanted.ts';
import type { Which } from '../../src/storage/subscription.ts';
import { submission } from '../support/submission.ts';
import { subscription } from '../support/subscription.ts';

const lanesOf = (...args: Parameters<typeof entriesFor>) => entriesFor(...args).map(({ lane, subscriptionId }) => `${lane} ${subscriptionId}`);

describe('who wants to hear of a submission', () => {
  test.each<[Which, boolean]>([
    [{ kind: 'all' }, true],
    [{ kind: 'passed' }, true],
    [{ kind: 'failed' }, false],
    [{ kind: 'below', percentage: 60 }, false],
    [{ kind: 'below', percentage: 60.5 }, true],
    [{ kind: 'grade', grade: 'b' }, true],
    [{ kind: 'grade', grade: 'A' }, false],
  ])('by result: %j of 60 %%, passed, grade B: %s', (which, isWanted) => {
    const told = submission({ percentage: 60, passed: true, grade: 'B ' });
    expect(entriesFor(told, [subscription({ which })], 5)).toHaveLength(isWanted ? 1 : 0);
  });

  test('by quiz: every one, or the one', () => {
    const quiz = (id: string) => ({ id, name: 'Any' });
    const subscriptions = [subscription({ id: 'all' }), subscription({ id: 'this', channelId: 'C2', quiz: quiz('q-1') }), subscription({ id: 'other', channelId: 'C3', quiz: quiz('q-2') })];
    expect(lanesOf(submission(), subscriptions, 5)).toEqual(['channel/T1/C1 all', 'channel/T1/C2 this']);
  });

  test('a channel is told once, by the first that wants it, and every digest sums it up', () => {
    const digest = { kind: 'digest', every: 'hour' } as const;
    const subscriptions = [
      subscription({ id: 'failed', which: { kind: 'failed' } }),
      subscription({ id: 'thread', how: { kind: 'thread' } }),
      subscription({ id: 'each' }),
      subscription({ id: 'hourly', how: digest }),
      subscription({ id: 'hourly too', how: digest }),
    ];
    expect(lanesOf(submission(), subscriptions, 5)).toEqual(['channel/T1/C1 thread', 'digest/T1/hourly hourly', 'digest/T1/hourly too hourly too']);
  });

  test('what came late is told where somebody had subscribed by then', () => {
    const subscriptions = [subscription({ id: 'before', createdAt: 10 }), subscription({ id: 'after', channelId: 'C2', createdAt: 30 })];
    expect(lanesOf(submission({ isLate: true, submittedAt: 20 }), subscriptions, 99)).toEqual(['channel/T1/C1 before']);
    expect(lanesOf(submission({ isLate: false, submittedAt: 20 }), subscriptions, 99)).toHaveLength(2);
  });
});
