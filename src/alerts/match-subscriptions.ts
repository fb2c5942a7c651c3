import type { NewLaneEntry, Submission } from '../domain/queue-entry.ts';
import type { Subscription, Which } from '../domain/subscription.ts';
import { channelLane, digestLane } from './queue-names.ts';

/**
 * Where a submission goes: into a channel once, by the subscription there that is closest to it (one to its quiz
 * before one to all, the youngest first), and into every digest that sums it up.
 */
export function entriesFor(submission: Submission, subscriptions: readonly Subscription[], at: number): NewLaneEntry[] {
  const content = { kind: 'submission', submission } as const;
  const wanted = subscriptions.filter((subscription) => isWanted(submission, subscription));
  const digests = wanted.filter(({ how }) => how.kind === 'digest').map(({ id, teamId }) => ({ lane: digestLane(teamId, id), subscriptionId: id, at, content }));
  const told = wanted.filter(({ how }) => how.kind !== 'digest').toSorted(closestFirst);
  const byLane = new Map(told.toReversed().map(({ id, teamId, channelId }) => [channelLane(teamId, channelId), id]));
  return [...[...byLane].map(([lane, subscriptionId]) => ({ lane, subscriptionId, at, content })), ...digests];
}

function closestFirst(a: Subscription, b: Subscription): number {
  return Number(a.quiz === null) - Number(b.quiz === null) || b.createdAt - a.createdAt;
}

function isWanted(submission: Submission, { quiz, which, createdAt }: Subscription): boolean {
  if (quiz !== null && quiz.id !== submission.quizId) return false;
  if (submission.isLate && (submission.submittedAt ?? 0) < createdAt) return false;
  return hasResult(submission, which);
}

/** Whether it went as somebody wants to hear of. */
export function hasResult({ passed, percentage, grade }: Submission, which: Which): boolean {
  switch (which.kind) {
    case 'all':
      return true;
    case 'passed':
      return passed;
    case 'failed':
      return !passed;
    case 'below':
      return percentage < which.percentage;
    case 'grade':
      return grade.trim().toLowerCase() === which.grade.trim().toLowerCase();
  }
}
