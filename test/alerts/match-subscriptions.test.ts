import { describe, expect, test } from 'vitest';
import { matchSubscriptions } from '../../src/alerts/match-subscriptions.ts';
import type { SubmissionFilter } from '../../src/domain/subscription.ts';
import { submission, subscription } from '../support/builders/alerts.ts';

const queuesOf = (...args: Parameters<typeof matchSubscriptions>) => matchSubscriptions(...args).map(({ queue, subscriptionId }) => `${queue} ${subscriptionId}`);

describe('who wants to hear of a submission', () => {
  test.each<[SubmissionFilter, boolean]>([
    [{ kind: 'all' }, true],
    [{ kind: 'passed' }, true],
    [{ kind: 'failed' }, false],
    [{ kind: 'below', percentage: 60 }, false],
    [{ kind: 'below', percentage: 60.5 }, true],
    [{ kind: 'grade', grade: 'b' }, true],
    [{ kind: 'grade', grade: 'A' }, false],
  ])('by result: %j of 60 %%, passed, grade B: %s', (filter, matches) => {
    const told = submission({ percentage: 60, passed: true, grade: 'B ' });
    expect(matchSubscriptions(told, [subscription({ filter })], 5)).toHaveLength(matches ? 1 : 0);
  });

  test('by quiz: every one, or the one', () => {
    const quiz = (id: string) => ({ id, name: 'Any' });
    const subscriptions = [subscription({ id: 'all' }), subscription({ id: 'this', channelId: 'C2', quiz: quiz('q-1') }), subscription({ id: 'other', channelId: 'C3', quiz: quiz('q-2') })];
    expect(queuesOf(submission(), subscriptions, 5).toSorted()).toEqual(['channel/T1/C1 all', 'channel/T1/C2 this']);
  });

  test('a channel is told once, by the subscription closest to it, and every digest sums it up', () => {
    const digest = { kind: 'digest', every: 'hour' } as const;
    const quiz = { id: 'q-1', name: 'Any' };
    const subscriptions = [
      subscription({ id: 'hourly', delivery: digest }),
      subscription({ id: 'its quiz', quiz, createdAt: 1 }),
      subscription({ id: 'its quiz, younger', quiz, delivery: { kind: 'thread' }, createdAt: 2 }),
      subscription({ id: 'its quiz, failed', quiz, filter: { kind: 'failed' }, createdAt: 3 }),
      subscription({ id: 'all', createdAt: 4 }),
      subscription({ id: 'hourly too', delivery: digest }),
    ];
    expect(queuesOf(submission(), subscriptions, 5)).toEqual(['channel/T1/C1 its quiz, younger', 'digest/T1/hourly hourly', 'digest/T1/hourly too hourly too']);
    expect(queuesOf(submission({ passed: false }), subscriptions, 5)[0]).toBe('channel/T1/C1 its quiz, failed');
    expect(queuesOf(submission({ quizId: 'q-2' }), subscriptions, 5)[0]).toBe('channel/T1/C1 all');
  });

  test('what came late is told where somebody had subscribed by then', () => {
    const subscriptions = [subscription({ id: 'before', createdAt: 10 }), subscription({ id: 'after', channelId: 'C2', createdAt: 30 })];
    expect(queuesOf(submission({ isBackfilled: true, submittedAt: 20 }), subscriptions, 99)).toEqual(['channel/T1/C1 before']);
    expect(queuesOf(submission({ isBackfilled: false, submittedAt: 20 }), subscriptions, 99)).toHaveLength(2);
  });
});
