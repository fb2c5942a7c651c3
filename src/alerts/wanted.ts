import type { NewLaneEntry, Submission } from '../storage/lane-entry.ts';
import type { Subscription, Which } from '../storage/subscription.ts';
import { channelLane, digestLane } from './lane-names.ts';

/**
 * Where a submission goes: into a channel once, by the first subscription there that wants it, and into every
 * digest that sums it up.
 */
export function entriesFor(submission: Submission, subscriptions: readonly Subscription[], at: number): NewLaneEntry[] {
  const served = new Set<string>();
  return subscriptions.filter((subscription) => isWanted(submission, subscription)).flatMap(({ id, teamId, channelId, how }) => {
    const content = { kind: 'submission', submission } as const;
    if (how.kind === 'digest') return [{ lane: digestLane(teamId, id), subscriptionId: id, at, content }];
    const lane = channelLane(teamId, channelId);
    if (served.has(lane)) return [];
    served.add(lane);
    return [{ lane, subscriptionId: id, at, content }];
  });
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
