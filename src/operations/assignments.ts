import type { Directory } from '../directory/directory.ts';
import { publicName } from '../directory/names.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import { planAssignments } from './batches/plan-assignments.ts';
import { changeEach, changesAtMost } from './change-each.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import {
  assigneeIdsInShort,
  assigneesInWords,
  uniqueAssignees,
  type Assignee,
  type AssigneesField,
} from './fields/assignees.ts';
import { membersAtMost, tooMany } from './fields/mentioned-members.ts';
import type { PeopleField } from './fields/people.ts';
import { usersWithout } from './new-assignees.ts';
import { nextSteps } from './next-steps.ts';
import { defineOperation, type Confirmation } from './operation.ts';
import { actions } from './wording/actions.ts';
import { confirmations } from './wording/confirmations.ts';
import { noChanges, outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';
import { assignmentWarning } from './wording/warnings.ts';

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: { kind: 'assignees', label: 'Users and groups', optional: true },
  people: { kind: 'people', label: 'People in this workspace', optional: true },
} as const satisfies { quiz: object; to: AssigneesField; people: PeopleField };

interface Chosen {
  quiz: Quiz;
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}

export const assignQuiz = defineOperation({
  name: 'assign-quiz',
  command: '/quiz assign <quiz> to <to>',
  summary: 'Assign a quiz to people and groups, separated by commas',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Assign quiz',
  fields,
  check: checkAssignees,
  warn({ visibility }, { quiz, ...chosen }) {
    const users = uniqueAssignees(chosen).flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
    // Only people who may see the record of a user learn that the user is suspended.
    return assignmentWarning(quiz, users.filter((user) => user.suspended && visibility.user(user)).map(publicName));
  },
  confirm: (input) => confirmMembers('assign-quiz', input),
  action: actions['assign-quiz'],
  effect: (_, input) => proposals['assign-quiz'](input),
  isDone: (input, known) => all(haveQuiz(input, known), true),
  reread: readAssignments,
  noChange: ({ quiz, ...chosen }) => noChanges['assign-quiz']({ quiz, assignees: uniqueAssignees(chosen) }),
  plan: (context, input) => planMany(context, input, 'assign'),
  async run(context, { quiz, ...chosen }) {
    const assignees = uniqueAssignees(chosen);
    const withoutQuiz = await usersWithout(quiz, context);
    const isNew = new Set(assignees.filter((assignee) => hasQuiz(assignee, quiz, context.directory) === false));
    const findChanged = async (unclear: readonly Assignee[]) => whoseQuizIs(context, quiz, unclear, true);
    const { succeeded, problems, note } = await changeEach(assignees, {
      couldNot: couldNot('Couldn’t assign it to'),
      findChanged,
      isStopping: context.isStopping,
      change: (assignee) =>
        assignee.kind === 'user'
          ? context.api.users
              .assignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
              .then(() =>
                changeQuizzes(context, assignee, (quizzes) => [
                  ...without(quizzes, quiz),
                  { quiz_id: quiz.quiz_id, name: quiz.name, date_assigned: null },
                ]),
              )
          : context.api.quizzes
              .assignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
              .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, true)),
    });
    // Undo takes the quiz from those who did not have it before.
    const added = succeeded.filter((assignee) => isNew.has(assignee));
    // Who gets it directly as well as through a group counts as directly assigned.
    const users = [
      ...new Map(
        added
          .toSorted(groupsFirst)
          .flatMap(withoutQuiz)
          .map((user) => [user.userId, user]),
      ).values(),
    ];
    return {
      kind: 'done',
      message: outcomes['assign-quiz']({ quiz, assignees: succeeded }) + note,
      problems,
      next: nextSteps['assign-quiz']({ quiz, added }),
      assigned: { quizId: quiz.quiz_id, quizName: quiz.name, users },
    };
  },
});

export const unassignQuiz = defineOperation({
  name: 'unassign-quiz',
  command: '/quiz unassign <quiz> from <to>',
  summary: 'Unassign a quiz from people and groups',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unassign quiz',
  fields,
  check: checkAssignees,
  confirm: (input) => confirmMembers('unassign-quiz', input),
  action: actions['unassign-quiz'],
  effect: proposals['unassign-quiz'],
  isDone: (input, known) => all(haveQuiz(input, known), false),
  reread: readAssignments,
  noChange: ({ quiz, ...chosen }) => noChanges['unassign-quiz']({ quiz, assignees: uniqueAssignees(chosen) }),
  plan: (context, input) => planMany(context, input, 'unassign'),
  async run(context, { quiz, ...chosen }) {
    const assignees = uniqueAssignees(chosen);
    const findChanged = async (unclear: readonly Assignee[]) => whoseQuizIs(context, quiz, unclear, false);
    const { succeeded, problems, note } = await changeEach(assignees, {
      couldNot: couldNot('Couldn’t unassign it from'),
      findChanged,
      isStopping: context.isStopping,
      change: (assignee) =>
        assignee.kind === 'user'
          ? context.api.users
              .unassignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
              .then(() => changeQuizzes(context, assignee, (quizzes) => without(quizzes, quiz)))
          : context.api.quizzes
              .unassignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
              .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, false)),
    });
    return {
      kind: 'done',
      message: outcomes['unassign-quiz']({ quiz, assignees: succeeded }) + note,
      problems,
      next: nextSteps['unassign-quiz']({ quiz, removed: succeeded }),
    };
  },
});

function checkAssignees(chosen: { to?: Assignee[] | undefined; people?: Assignee[] | undefined }): void {
  const { length } = uniqueAssignees(chosen);
  if (length === 0) throw new InvalidInputError('to', 'Choose at least one person or group.');
  if (length > membersAtMost) throw new InvalidInputError('to', tooMany('You chose more'));
}

function planMany(
  context: OperationContext,
  { quiz, ...chosen }: Chosen,
  change: 'assign' | 'unassign',
): ReturnType<typeof planAssignments> | undefined {
  const assignees = uniqueAssignees(chosen);
  return assignees.length > changesAtMost ? planAssignments(context, quiz, assignees, change) : undefined;
}

/** The question before a quiz goes to everyone in a channel or user group. Of more people, there is a preview. */
function confirmMembers(operation: keyof typeof confirmations, { quiz, ...chosen }: Chosen): Confirmation | undefined {
  const assignees = uniqueAssignees(chosen);
  const members = new Set(
    assignees.flatMap((assignee) => (assignee.kind === 'user' && assignee.through ? [assignee.through] : [])),
  );
  if (members.size === 0 || assignees.length > changesAtMost) return undefined;
  const hasGroups = assignees.some(({ kind }) => kind === 'group');
  return {
    ...confirmations[operation]({ quiz, members: [...members], count: assignees.length, hasGroups }),
    input: { quiz: [quiz.quiz_id], to: assigneeIdsInShort(assignees) },
  };
}

function haveQuiz({ quiz, ...chosen }: Chosen, known: Pick<Directory, 'quizGroups'>): (boolean | undefined)[] {
  return uniqueAssignees(chosen).map((assignee) => hasQuiz(assignee, quiz, known));
}

/** Whether all answers are the wanted one; undefined where one is not known. */
function all(answers: readonly (boolean | undefined)[], wanted: boolean): boolean | undefined {
  return answers.includes(undefined) ? undefined : answers.every((answer) => answer === wanted);
}

/** Whether the assignee has the quiz itself, not through a group; undefined where that is not known. */
function hasQuiz(
  assignee: Assignee,
  { quiz_id }: Quiz,
  { quizGroups }: Pick<Directory, 'quizGroups'>,
): boolean | undefined {
  if (assignee.kind === 'group') return quizGroups.known(quiz_id)?.has(assignee.group.group_id);
  return assignee.user.quizzes.some((quiz) => quiz.quiz_id === quiz_id);
}

/** Reads which assignees have the quiz, with at most a request for users and a request for groups. */
async function readAssignments<Input extends Chosen>(
  { api, directory, call }: OperationContext,
  input: Input,
): Promise<Input> {
  const assignees = uniqueAssignees(input);
  const [firstUser, ...otherUsers] = assignees.flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
  if (assignees.some(({ kind }) => kind === 'group'))
    directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  if (otherUsers.length > 0) await directory.users.refresh(call);
  else if (firstUser) directory.users.put(await api.users.get(firstUser.user_id, call));
  const users = await directory.users.names(call);
  const now = (assignee: Assignee): Assignee =>
    assignee.kind === 'user' ? { ...assignee, user: users.byId(assignee.user.user_id) ?? assignee.user } : assignee;
  return { ...input, to: input.to?.map(now), people: input.people?.map(now) };
}

/** The assignees that have the quiz by what the service says now, or that do not have it. */
async function whoseQuizIs(
  context: OperationContext,
  quiz: Quiz,
  assignees: readonly Assignee[],
  isAssigned: boolean,
): Promise<Set<Assignee>> {
  const { to: now = [] } = await readAssignments<Chosen>(context, { quiz, to: [...assignees] });
  return new Set(
    assignees.filter((_, index) => now[index] && hasQuiz(now[index], quiz, context.directory) === isAssigned),
  );
}

function couldNot(beginning: string): (assignee: Assignee) => string {
  return (assignee) => `${beginning} ${assigneesInWords([assignee])}`;
}

/** Starts from the user in the directory, since several quizzes can be assigned at the same time. */
async function changeQuizzes(
  { directory, call }: OperationContext,
  { user }: Assignee & { kind: 'user' },
  edit: (quizzes: User['quizzes']) => User['quizzes'],
): Promise<void> {
  const known = (await directory.users.names(call)).byId(user.user_id) ?? user;
  directory.users.put({ ...known, quizzes: edit(known.quizzes) });
}

function without(quizzes: User['quizzes'], quiz: Quiz): User['quizzes'] {
  return quizzes.filter(({ quiz_id }) => quiz_id !== quiz.quiz_id);
}

function groupsFirst(a: Assignee, b: Assignee): number {
  return Number(a.kind === 'user') - Number(b.kind === 'user');
}
