import { createMatcher, matchSubscriptions } from '../../../src/features/webhooks/take.ts';
import { describe, expect, test, vi } from 'vitest';
import type { NewQueueEntry, Submission } from '../../../src/domain/queues.ts';
import type { SubmissionFilter } from '../../../src/domain/subscription.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';

const queuesOf = (...args: Parameters<typeof matchSubscriptions>) =>
  matchSubscriptions(...args).map(({ queue, subscriptionId }) => `${queue} ${subscriptionId}`);

describe('the subscriptions that a submission matches', () => {
  test.each<[SubmissionFilter, boolean]>([
    [{ kind: 'all' }, true],
    [{ kind: 'passed' }, true],
    [{ kind: 'failed' }, false],
    [{ kind: 'ungraded' }, false],
    [{ kind: 'below', percentage: 60 }, false],
    [{ kind: 'below', percentage: 60.5 }, true],
    [{ kind: 'grade', grade: 'b' }, true],
    [{ kind: 'grade', grade: ' b ' }, true],
    [{ kind: 'grade', grade: 'A' }, false],
  ])('by result: %j of 60 %%, passed, grade B: %s', (filter, matches) => {
    const told = submission({ percentage: 60, outcome: 'passed', grade: 'B ' });
    expect(matchSubscriptions(told, [subscription({ filter })], 5)).toHaveLength(matches ? 1 : 0);
  });

  test.each(['not graded', 'unmarked'] as const)(
    'a submission that is %s matches all and ungraded, whatever its percentage',
    (outcome) => {
      const filters: SubmissionFilter[] = [
        { kind: 'all' },
        { kind: 'passed' },
        { kind: 'failed' },
        { kind: 'ungraded' },
        { kind: 'below', percentage: 60 },
        { kind: 'grade', grade: 'A' },
      ];
      const matching = filters.filter(
        (filter) =>
          matchSubscriptions(submission({ outcome, percentage: 0, grade: '' }), [subscription({ filter })], 5).length >
          0,
      );
      expect(matching).toEqual([{ kind: 'all' }, { kind: 'ungraded' }]);
    },
  );

  test('by quiz: every one, or the one', () => {
    const quiz = (id: string) => ({ id, name: 'Any' });
    const subscriptions = [
      subscription({ id: 'all' }),
      subscription({ id: 'this', channelId: 'C2', quiz: quiz('q-1') }),
      subscription({ id: 'other', channelId: 'C3', quiz: quiz('q-2') }),
    ];
    expect(queuesOf(submission(), subscriptions, 5).toSorted()).toEqual(['channel/T1/C1 all', 'channel/T1/C2 this']);
  });

  test('a channel gets a submission once, through its most specific subscription, and every digest includes it', () => {
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
    expect(queuesOf(submission(), subscriptions, 5)).toEqual([
      'channel/T1/C1 its quiz, younger',
      'digest/T1/hourly hourly',
      'digest/T1/hourly too hourly too',
    ]);
    expect(queuesOf(submission({ outcome: 'failed' }), subscriptions, 5)[0]).toBe('channel/T1/C1 its quiz, failed');
    expect(queuesOf(submission({ quizId: 'q-2' }), subscriptions, 5)[0]).toBe('channel/T1/C1 all');
  });

  test('a correction is in no digest: its channel gets it once, if either result passes the filter', () => {
    const digest = { kind: 'digest', every: 'hour' } as const;
    const corrects = { outcome: 'failed', points: 3, availablePoints: 10, percentage: 30, grade: '' } as const;
    const subscriptions = [
      subscription({ id: 'hourly', delivery: digest, filter: { kind: 'failed' } }),
      subscription({ id: 'elsewhere', channelId: 'C2', delivery: digest, filter: { kind: 'grade', grade: 'Z' } }),
    ];
    expect(queuesOf(submission({ corrects }), subscriptions, 5)).toEqual(['channel/T1/C1 hourly']);
  });

  test('a backfilled submission goes to subscriptions that existed when it was submitted', () => {
    const subscriptions = [
      subscription({ id: 'before', createdAt: 10 }),
      subscription({ id: 'after', channelId: 'C2', createdAt: 30 }),
    ];
    expect(queuesOf(submission({ isBackfilled: true, submittedAt: 20 }), subscriptions, 99)).toEqual([
      'channel/T1/C1 before',
    ]);
    expect(queuesOf(submission({ isBackfilled: false, submittedAt: 20 }), subscriptions, 99)).toHaveLength(2);
  });
});

/** What a room of campaigns would make of a submission. */
function campaignEntry(teamId: string, { quizId: campaignId, quizName }: Submission, userId: string): NewQueueEntry {
  return {
    queue: `campaign/${teamId}/${campaignId}`,
    subscriptionId: 'campaigns',
    at: 5,
    content: { kind: 'note', campaignId, note: { heading: `${quizName} for ${userId}` } },
  };
}

describe('the matcher', () => {
  function setUp() {
    const calls: string[] = [];
    const teamId = vi.fn(async () => 'T1');
    const matcher = createMatcher({
      teamId,
      store: { version: async (id) => (calls.push(`version of ${id}`), 7) },
      subscriptions: async (id) => (calls.push(`subscriptions of ${id}`), [subscription()]),
      notifiesRespondents: true,
      entriesForFollowers: async (...of) => [campaignEntry(...of)],
      now: () => 5,
    });
    return { matcher, calls, teamId };
  }

  test('asks for the workspace until it is known, and then never again', async () => {
    const { matcher, teamId } = setUp();
    teamId.mockRejectedValueOnce(new Error('the workspace is not known'));
    await expect(matcher.load()).rejects.toThrow('the workspace is not known');
    expect(await matcher.match({ kind: 'submission', submission: submission() })).toBeUndefined();
    await matcher.load();
    await matcher.load();
    expect(teamId).toHaveBeenCalledTimes(2);
  });
});
