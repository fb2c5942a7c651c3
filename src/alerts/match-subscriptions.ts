import type { NewQueueEntry, Submission } from '../domain/queue-entry.ts';
import type { Subscription, SubmissionFilter } from '../domain/subscription.ts';
import { channelQueue, digestQueue } from './queue-names.ts';

/**
 * Where a submission goes: into a channel once, by the subscription there that is closest to it (one to its quiz
 * before one to all, the youngest first), and into every digest that sums it up.
 */
export function matchSubscriptions(submission: Submission, subscriptions: readonly Subscription[], at: number): NewQueueEntry[] {
  const content = { kind: 'submission', submission } as const;
  const wanted = subscriptions.filter((subscription) => matches(submission, subscription));
  const digests = wanted.filter(({ delivery }) => delivery.kind === 'digest').map(({ id, teamId }) => ({ queue: digestQueue(teamId, id), subscriptionId: id, at, content }));
  const told = wanted.filter(({ delivery }) => delivery.kind !== 'digest').toSorted(closestFirst);
  const byQueue = new Map(told.toReversed().map(({ id, teamId, channelId }) => [channelQueue(teamId, channelId), id]));
  return [...[...byQueue].map(([queue, subscriptionId]) => ({ queue, subscriptionId, at, content })), ...digests];
}

function closestFirst(a: Subscription, b: Subscription): number {
  return Number(a.quiz === null) - Number(b.quiz === null) || b.createdAt - a.createdAt;
}

function matches(submission: Submission, { quiz, filter, createdAt }: Subscription): boolean {
  if (quiz !== null && quiz.id !== submission.quizId) return false;
  if (submission.isBackfilled && (submission.submittedAt ?? 0) < createdAt) return false;
  return hasResult(submission, filter);
}

/** Whether it went as somebody wants to hear of. */
export function hasResult({ passed, percentage, grade }: Submission, filter: SubmissionFilter): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'passed':
      return passed;
    case 'failed':
      return !passed;
    case 'below':
      return percentage < filter.percentage;
    case 'grade':
      return grade.trim().toLowerCase() === filter.grade.trim().toLowerCase();
  }
}
