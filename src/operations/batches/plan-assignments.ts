import { publicName } from '../../directory/names.ts';
import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { OperationContext } from '../context.ts';
import { assigneeIdsInShort, type Assignee } from '../fields/assignees.ts';
import { usersWithout } from '../new-assignees.ts';
import type { NewAssignee } from '../operation-result.ts';
import type { TextInput } from '../text-input.ts';
import { batchWords, people } from '../wording/batches.ts';

/** A form shows no more choices in a field. */
const chosenAtMost = 100;

/**
 * Works out how a quiz is assigned to many, or unassigned. Users who get it have a message about it as soon as it is theirs.
 * Reads the list of users.
 */
export async function planAssignments(
  context: OperationContext,
  quiz: Quiz,
  assignees: readonly Assignee[],
  change: 'assign' | 'unassign',
): Promise<{ plan: BatchPlan; entered?: TextInput }> {
  const users = await usersNow(assignees, context);
  const withoutQuiz = change === 'assign' ? await usersWithout(quiz, context) : () => [];
  const changed = assignees.map((assignee) => rowFor(users(assignee), quiz, { change, context, withoutQuiz }));
  const leftOut = new Set(
    assignees.flatMap((assignee) => (assignee.kind === 'user' ? (assignee.through?.withoutUser ?? []) : [])),
  );
  const plan: BatchPlan = {
    kind: 'batch',
    operation: `${change}-quiz`,
    action: `${change} ${named(quiz.name)} ${change === 'assign' ? 'to' : 'from'} ${whom(assignees.filter((_, at) => changed[at]?.kind !== 'none'))}`,
    rows: [
      ...changed,
      ...[...leftOut].map((name): BatchRow => ({
        kind: 'none',
        outcome: { kind: 'skipped', error: batchWords.withoutUser },
        name: name || 'Unnamed person',
      })),
    ],
    approval: context.rights.has('edit_quizzes') ? null : 'privileged',
  };
  return {
    plan,
    ...(assignees.length <= chosenAtMost && { entered: { quiz: [quiz.quiz_id], to: assigneeIdsInShort(assignees) } }),
  };
}

interface Change {
  change: 'assign' | 'unassign';
  context: OperationContext;
  withoutQuiz: (assignee: Assignee) => readonly NewAssignee[];
}

function rowFor(
  assignee: Assignee,
  { quiz_id: quizId, name: quizName }: Quiz,
  { change, context, withoutQuiz }: Change,
): BatchRow {
  const { kind: to } = assignee;
  const target =
    to === 'user'
      ? { id: assignee.user.user_id, name: publicName(assignee.user) }
      : { id: assignee.group.group_id, name: assignee.group.group_name };
  const hasQuiz =
    to === 'user'
      ? assignee.user.quizzes.some(({ quiz_id }) => quiz_id === quizId)
      : context.directory.quizGroups.known(quizId)?.has(target.id);
  if (hasQuiz === (change === 'assign'))
    return { kind: 'none', outcome: { kind: 'same', ...(to === 'user' && { userId: target.id }) }, name: target.name };
  if (change === 'unassign') return { kind: 'unassign', quizId, from: to, ...target };
  const members = withoutQuiz(assignee).map(({ userId }) => userId);
  return {
    kind: 'assign',
    quizId,
    to,
    ...target,
    ...(members.length > 0 && { quizName }),
    ...(to === 'group' && members.length > 0 && { members }),
  };
}

/** The assignees as the service has them now. */
async function usersNow(
  assignees: readonly Assignee[],
  { directory, call }: OperationContext,
): Promise<(assignee: Assignee) => Assignee> {
  if (assignees.some(({ kind }) => kind === 'user')) await directory.users.fresh(call);
  const users = await directory.users.names(call);
  return (assignee) =>
    assignee.kind === 'user' ? { ...assignee, user: users.byId(assignee.user.user_id) ?? assignee.user } : assignee;
}

/** “73 people and 2 groups” */
function whom(assignees: readonly Assignee[]): string {
  const groups = assignees.filter(({ kind }) => kind === 'group').length;
  const users = assignees.length - groups;
  return [
    ...(users > 0 || groups === 0 ? [people(users)] : []),
    ...(groups > 0 ? [groups === 1 ? '1 group' : `${groups.toLocaleString('en')} groups`] : []),
  ].join(' and ');
}
