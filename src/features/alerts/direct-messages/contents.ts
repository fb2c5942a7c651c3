import type { NewQueueEntry, Submission } from '../../../domain/queue-entry.ts';
import type { Respondent } from '../../../storage/storage.ts';
import { directMessages, personQueue } from '../../../domain/queue-names.ts';

const dayMs = 24 * 3_600_000;

/** The entry that tells a respondent the result. None for a submission that the bot found more than a day later. */
export function resultFor(
  { userId, reportUrl }: Respondent,
  { submission, teamId, at }: { submission: Submission; teamId: string; at: number },
): NewQueueEntry[] {
  if (submission.isBackfilled && at - (submission.submittedAt ?? 0) > dayMs) return [];
  const content = { kind: 'own-result', submission, ...(reportUrl !== undefined && { reportUrl }) } as const;
  return [{ queue: personQueue(teamId, userId), subscriptionId: directMessages, at, content }];
}

/** The users who got a quiz, and had not had it before. */
export interface NewAssignments {
  quizId: string;
  quizName: string;
  users: readonly { userId: string; groupId?: string }[];
}

/**
 * The entries that tell users about a quiz.
 *
 * @param by the person of the platform who assigned it
 */
export function assignmentsFor(
  { quizId, quizName, users }: NewAssignments,
  { by, teamId, at }: { by: string; teamId: string; at: number },
): NewQueueEntry[] {
  const content = { kind: 'assigned', quizId, quizName, by } as const;
  return users.map(({ userId, groupId }) => ({
    queue: personQueue(teamId, userId),
    subscriptionId: directMessages,
    at,
    content: { ...content, ...(groupId !== undefined && { groupId }) },
  }));
}
