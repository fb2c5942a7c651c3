import { publicName } from '../directory/names.ts';
import { QuizApiError } from '../quiz-api/errors.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import { assigneeId, type Assignee, type AssigneesField } from './fields/assignees.ts';
import type { PeopleField } from './fields/people.ts';
import type { OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';
import { assignmentWarning } from './wording/warnings.ts';

/** A request each: more would use up the request budget. */
const assigneesAtMost = 50;
/** Few, so that the requests of other people come in between. */
const requestsAtOnce = 4;

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: { kind: 'assignees', label: 'People and groups of the quiz account', optional: true },
  people: { kind: 'people', label: 'People of this workspace', optional: true },
} as const satisfies { quiz: object; to: AssigneesField; people: PeopleField };

export const assignQuiz = defineOperation({
  name: 'assign-quiz',
  command: '/quiz assign <quiz> to <to>',
  summary: 'Assign a quiz to people and groups, several separated by commas',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Assign',
  fields,
  check: checkAssignees,
  warn({ visibility }, { quiz, ...chosen }) {
    const users = assigneesOf(chosen).flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
    // Only people who may see the record of a user learn that the user is suspended.
    return assignmentWarning(quiz, users.filter((user) => user.suspended && visibility.user(user)).map(publicName));
  },
  effect: (_, { quiz, ...chosen }) => `“${quiz.name}” is assigned to ${listed(assigneesOf(chosen).map(nameOf))}.`,
  run: async (context, { quiz, ...chosen }) =>
    forEach(assigneesOf(chosen), `“${quiz.name}” is assigned to`, (assignee) =>
      assignee.kind === 'user'
        ? context.api.users.assignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
            .then(() => changeQuizzes(context, assignee, (quizzes) => [...without(quizzes, quiz), { quiz_id: quiz.quiz_id, name: quiz.name, date_assigned: null }]))
        : context.api.quizzes.assignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
            .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, true)),
    ),
});

export const unassignQuiz = defineOperation({
  name: 'unassign-quiz',
  command: '/quiz unassign <quiz> from <to>',
  summary: 'Take a quiz away from people and groups',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unassign',
  fields,
  check: checkAssignees,
  effect: (_, { quiz, ...chosen }) => `“${quiz.name}” is no longer assigned to ${listed(assigneesOf(chosen).map(nameOf))}.`,
  run: async (context, { quiz, ...chosen }) =>
    forEach(assigneesOf(chosen), `“${quiz.name}” is no longer assigned to`, (assignee) =>
      assignee.kind === 'user'
        ? context.api.users.unassignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
            .then(() => changeQuizzes(context, assignee, (quizzes) => without(quizzes, quiz)))
        : context.api.quizzes.unassignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
            .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, false)),
    ),
});

interface Chosen {
  to: Assignee[] | undefined;
  people: Assignee[] | undefined;
}

/** Each of them once, even if named several times. */
function assigneesOf({ to = [], people = [] }: Chosen): Assignee[] {
  return [...new Map([...to, ...people].map((assignee) => [assigneeId(assignee), assignee])).values()];
}

function checkAssignees(chosen: Chosen): void {
  const { length } = assigneesOf(chosen);
  if (length === 0) throw new InvalidInputError('to', 'Choose at least one person or group.');
  if (length > assigneesAtMost) throw new InvalidInputError('to', `These are ${length}: at most ${assigneesAtMost} at once. For more, use a group.`);
}

/** Does what can be done and lists the rest; fails only when nothing could be done. */
async function forEach(assignees: readonly Assignee[], done: string, act: (assignee: Assignee) => Promise<void>): Promise<OperationResult> {
  const succeeded: string[] = [];
  const failed: { name: string; error: unknown }[] = [];
  const waiting = [...assignees];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const name = nameOf(next);
      await act(next).then(
        () => succeeded.push(name),
        (error: unknown) => failed.push({ name, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  const [firstFailure] = failed;
  if (succeeded.length === 0 && firstFailure) throw firstFailure.error;
  return {
    kind: 'done',
    message: `${done} ${listed(succeeded)}.`,
    problems: failed.map(({ name, error }) => `Not ${name}: ${error instanceof QuizApiError ? (error.serviceMessage ?? 'the quiz service did not answer') : 'something went wrong'}.`),
  };
}

/** Starts from the user in the directory, since several quizzes can be assigned at the same time. */
async function changeQuizzes({ directory, call }: OperationContext, { user }: Assignee & { kind: 'user' }, edit: (quizzes: User['quizzes']) => User['quizzes']): Promise<void> {
  const known = (await directory.users.names(call)).byId(user.user_id) ?? user;
  directory.users.put({ ...known, quizzes: edit(known.quizzes) });
}

function without(quizzes: User['quizzes'], quiz: Quiz): User['quizzes'] {
  return quizzes.filter(({ quiz_id }) => quiz_id !== quiz.quiz_id);
}

function nameOf(assignee: Assignee): string {
  return assignee.kind === 'user' ? publicName(assignee.user) : `the group “${assignee.group.group_name}”`;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}
