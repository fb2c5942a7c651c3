import { countOf, listed, say, named } from '../../../domain/said.ts';
import { nameOrId } from '../../../domain/record-names.ts';
import { publicName } from '../../../directory/names.ts';
import type { BatchPlan, BatchRow, ChangeRow } from '../../../domain/batch.ts';
import type { Quiz, Group, User } from '../../../quiz-api/records.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { partId, assigneeIdsInShort, type Assignee } from '../../../operations/fields/people.ts';
import type { Operation } from '../../../operations/operation.ts';
import { usersWithout } from '../../quizzes/assignment-words.ts';
import type { NewAssignee } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { batchWords, people } from './batch-words.ts';
import { judgedPlan, rowOf, sameRow, skippedRow } from '../../../operations/define-plan.ts';

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
  change: AssignmentChange,
): Promise<{ plan: BatchPlan; entered?: TextInput }> {
  const users = await usersNow(assignees, context);
  const { verb, operation } = change;
  const withoutQuiz = verb === 'assign' ? await usersWithout(quiz, context) : () => [];
  const changed = assignees.map((assignee) => rowFor(users(assignee), quiz, { change, context, withoutQuiz }));
  const leftOut = new Set(
    assignees.flatMap((assignee) => (assignee.kind === 'user' ? (assignee.through?.withoutUser ?? []) : [])),
  );
  const them = whom(assignees.filter((_, at) => changed[at]?.kind !== 'none'));
  const plan = await judgedPlan(context, {
    operation: operation.name,
    ...(verb === 'assign'
      ? { action: say`assign ${named(quiz.name)} to ${them}`, done: say`assigned ${named(quiz.name)} to ${them}` }
      : {
          action: say`unassign ${named(quiz.name)} from ${them}`,
          done: say`unassigned ${named(quiz.name)} from ${them}`,
        }),
    rows: [...changed, ...[...leftOut].map((name) => skippedRow(nameOrId('person', name), batchWords.withoutUser))],
  });
  return {
    plan,
    entered: assignees.length <= chosenAtMost ? { quiz: [quiz.quiz_id], to: assigneeIdsInShort(assignees) } : undefined,
  };
}

/** The rows of an assignment to few, by what the bot knows of them: each is made, whatever that is. */
export async function assignmentRows(
  context: OperationContext,
  quiz: Quiz,
  assignees: readonly Assignee[],
  change: AssignmentChange,
): Promise<ChangeRow[]> {
  const isAssigned = change.verb === 'assign';
  const withoutQuiz = isAssigned ? await usersWithout(quiz, context) : () => [];
  return assignees.map((assignee) => {
    const { undo, ...row } = changeRowFor(assignee, quiz, { change, context, withoutQuiz });
    return hasQuiz(assignee, quiz, context.directory) === isAssigned || undo === undefined ? row : { ...row, undo };
  });
}

/** Assigning or unassigning, and the operation that takes it back. */
export interface AssignmentChange {
  verb: 'assign' | 'unassign';
  operation: Operation;
  inverse: Operation;
}

interface Change {
  change: AssignmentChange;
  context: OperationContext;
  withoutQuiz: (assignee: Assignee) => readonly NewAssignee[];
}

function rowFor(assignee: Assignee, quiz: Quiz, how: Change): BatchRow {
  if (hasQuiz(assignee, quiz, how.context.directory) !== (how.change.verb === 'assign'))
    return changeRowFor(assignee, quiz, how);
  return assignee.kind === 'user'
    ? sameRow(assignee.user)
    : { kind: 'none', outcome: { kind: 'same' }, name: nameOf(assignee) };
}

function changeRowFor(assignee: Assignee, quiz: Quiz, { change, withoutQuiz }: Change): ChangeRow {
  const { quiz_id: quizId, name: quizName } = quiz;
  const { verb, operation, inverse } = change;
  const isAssigned = verb === 'assign';
  const users = isAssigned ? withoutQuiz(assignee) : [];
  return rowOf(
    operation.name,
    { quiz: [quizId], to: [partId(assignee)] },
    {
      name: nameOf(assignee),
      words: changeWords[verb],
      undo: { operation: inverse.name, words: changeWords[isAssigned ? 'unassign' : 'assign'] },
      userId: assignee.kind === 'user' ? assignee.user.user_id : undefined,
      notify: users.length > 0 ? [{ quizId, quizName, users }] : undefined,
    },
  );
}

function nameOf(assignee: Assignee): string {
  return assignee.kind === 'user' ? publicName(assignee.user) : assignee.group.group_name;
}

const changeWords = { assign: say`gets the quiz`, unassign: say`loses the quiz` } as const;

/** Whether the assignee has the quiz itself, not through a group; undefined where that is not known. */
export function hasQuiz(
  assignee: Assignee,
  { quiz_id }: Quiz,
  { quizGroups }: Pick<Directory, 'quizGroups'>,
): boolean | undefined {
  if (assignee.kind === 'group') return quizGroups.known(quiz_id)?.has(assignee.group.group_id);
  return assignee.user.quizzes.some((quiz) => quiz.quiz_id === quiz_id);
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
  return listed([
    ...(users > 0 || groups === 0 ? [people(users)] : []),
    ...(groups > 0 ? [countOf(groups, 'group', 'groups')] : []),
  ]);
}

type RowChange = NonNullable<ChangeRow['undo']>;
/** Adding to a group or removing from it, and what takes it back. */
export interface MemberChange {
  change: RowChange;
  undo: RowChange;
  isAdded: boolean;
}

type Named = Pick<Operation, 'name'>;

export const joins = ({ name }: Named): RowChange => ({ operation: name, words: say`joins the group` });
export const leaves = ({ name }: Named): RowChange => ({ operation: name, words: say`leaves the group` });

/** Works out how many users are added to a group, or removed from it. Reads the list of users. */
export async function planMembers(
  context: OperationContext,
  { user: chosen, group }: { user: readonly User[]; group: Group },
  { change, undo, isAdded }: MemberChange,
): Promise<{ plan: BatchPlan; entered: TextInput }> {
  const { directory, call } = context;
  await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const rows = chosen.map((known): BatchRow => {
    const user = users.byId(known.user_id) ?? known;
    return isMember(user, group) === isAdded ? sameRow(user) : userRow(user, change, undo, group);
  });
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const plan = await judgedPlan(context, {
    operation: change.operation,
    ...(isAdded ? batchWords.fillGroup : batchWords.emptyGroup)(changed, group.group_name),
    rows,
  });
  return { plan, entered: { user: chosen.map(({ user_id }) => user_id), group: [group.group_id] } };
}

/** The rows of a change of few members, by what the bot knows of them: each is made, whatever that is. */
export function memberRows(
  { user: users, group }: { user: readonly User[]; group: Group },
  { change, undo, isAdded }: MemberChange,
): ChangeRow[] {
  return users.map((user) => {
    const { undo: taken, ...row } = userRow(user, change, undo, group);
    return isMember(user, group) === isAdded || taken === undefined ? row : { ...row, undo: taken };
  });
}

function isMember({ groups }: User, { group_id: id }: Group): boolean {
  return groups.some(({ group_id }) => group_id === id);
}

/** The row that changes a user. */
export function userRow(user: User, { operation, words }: RowChange, undo: RowChange, group?: Group): ChangeRow {
  const { user_id: userId } = user;
  const input = { user: [userId], ...(group && { group: [group.group_id] }) };
  return rowOf(operation, input, { name: publicName(user), words, undo, userId });
}
