import { publicName } from '../../directory/names.ts';
import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { OperationContext } from '../context.ts';
import type { Assignee } from '../fields/assignees.ts';
import { usersWithout } from '../new-assignees.ts';
import type { DoneResult } from '../operation-result.ts';
import { people, startedBatch } from '../wording/batches.ts';

/** More requests than this at once would keep other people waiting: the service takes 60 a minute. */
export const requestsAtMost = 20;

/**
 * Assigns or unassigns a quiz in the background. Users who get it have a message about it as soon as it is theirs; members of
 * groups have one at once.
 */
export async function assignMany(context: OperationContext, quiz: Quiz, assignees: readonly Assignee[], change: 'assign' | 'unassign'): Promise<DoneResult> {
  const { quiz_id: quizId, name: quizName } = quiz;
  const withoutQuiz = change === 'assign' ? await usersWithout(quiz, context) : () => [];
  const rows = assignees.map((assignee): BatchRow => {
    const target = assignee.kind === 'user' ? { id: assignee.user.user_id, name: publicName(assignee.user) } : { id: assignee.group.group_id, name: assignee.group.group_name };
    if (change === 'unassign') return { kind: 'unassign', quizId, from: assignee.kind, ...target };
    if (assignee.kind === 'user' && assignee.user.quizzes.some(({ quiz_id }) => quiz_id === quizId)) return { kind: 'none', outcome: { kind: 'same', userId: target.id }, name: target.name };
    return { kind: 'assign', quizId, to: assignee.kind, ...target, ...(assignee.kind === 'user' && withoutQuiz(assignee).length > 0 && { quizName }) };
  });
  const groups = assignees.filter(({ kind }) => kind === 'group');
  const whom = [...(assignees.length > groups.length ? [people(assignees.length - groups.length)] : []), ...(groups.length > 0 ? [groups.length === 1 ? '1 group' : `${groups.length} groups`] : [])].join(' and ');
  const plan: BatchPlan = { kind: 'batch', operation: `${change}-quiz`, action: `${change} ${named(quizName)} ${change === 'assign' ? 'to' : 'from'} ${whom}`, rows, approval: null };
  await context.batches.start(plan, context.actor.personId);
  return { kind: 'done', message: startedBatch(plan.action), ...(change === 'assign' && { assigned: { quizId, quizName, users: groups.flatMap(withoutQuiz) } }) };
}
