import type { Directory } from '../directory/directory.ts';
import { QuizApiError } from '../quiz-api/errors.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import { assigneesInWords, uniqueAssignees, type Assignee, type AssigneesField } from './fields/assignees.ts';
import type { PeopleField } from './fields/people.ts';
import { usersWithout } from './new-assignees.ts';
import { nextSteps } from './next-steps.ts';
import { defineOperation } from './operation.ts';
import { actions } from './wording/actions.ts';
import { noChanges, outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';

/** A request each: more would use up the request budget. */
const assigneesAtMost = 50;
/** Few, so that the requests of other people come in between. */
const requestsAtOnce = 4;

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
  action: actions['assign-quiz'],
  effect: (_, input) => proposals['assign-quiz'](input),
  isDone: ({ quiz, ...chosen }, known) => uniqueAssignees(chosen).every((assignee) => hasQuiz(assignee, quiz, known) === true),
  reread: readAssignments,
  noChange: ({ quiz, ...chosen }) => noChanges['assign-quiz']({ quiz, assignees: uniqueAssignees(chosen) }),
  async run(context, { quiz, ...chosen }) {
    const assignees = uniqueAssignees(chosen);
    const withoutQuiz = await usersWithout(quiz, context);
    const had = new Set(assignees.filter((assignee) => hasQuiz(assignee, quiz, context.directory)));
    const { succeeded, problems } = await forEach(assignees, 'Couldn’t assign it to', (assignee) =>
      assignee.kind === 'user'
        ? context.api.users.assignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
            .then(() => changeQuizzes(context, assignee, (quizzes) => [...without(quizzes, quiz), { quiz_id: quiz.quiz_id, name: quiz.name, date_assigned: null }]))
        : context.api.quizzes.assignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
            .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, true)),
    );
    // Undo takes the quiz from those who did not have it before.
    const added = succeeded.filter((assignee) => !had.has(assignee));
    const userIds = [...new Set(added.flatMap(withoutQuiz))];
    return {
      kind: 'done',
      message: outcomes['assign-quiz']({ quiz, assignees: succeeded }),
      problems,
      next: nextSteps['assign-quiz']({ quiz, added }),
      assigned: { quizId: quiz.quiz_id, quizName: quiz.name, userIds },
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
  action: actions['unassign-quiz'],
  effect: proposals['unassign-quiz'],
  isDone: ({ quiz, ...chosen }, known) => uniqueAssignees(chosen).every((assignee) => hasQuiz(assignee, quiz, known) === false),
  reread: readAssignments,
  noChange: ({ quiz, ...chosen }) => noChanges['unassign-quiz']({ quiz, assignees: uniqueAssignees(chosen) }),
  async run(context, { quiz, ...chosen }) {
    const { succeeded, problems } = await forEach(uniqueAssignees(chosen), 'Couldn’t unassign it from', (assignee) =>
      assignee.kind === 'user'
        ? context.api.users.unassignQuiz(assignee.user.user_id, quiz.quiz_id, context.call)
            .then(() => changeQuizzes(context, assignee, (quizzes) => without(quizzes, quiz)))
        : context.api.quizzes.unassignGroup(quiz.quiz_id, assignee.group.group_id, context.call)
            .then(() => context.directory.quizGroups.change(quiz.quiz_id, assignee.group.group_id, false)),
    );
    return { kind: 'done', message: outcomes['unassign-quiz']({ quiz, assignees: succeeded }), problems, next: nextSteps['unassign-quiz']({ quiz, removed: succeeded }) };
  },
});

function checkAssignees(chosen: { to?: Assignee[] | undefined; people?: Assignee[] | undefined }): void {
  const { length } = uniqueAssignees(chosen);
  if (length === 0) throw new InvalidInputError('to', 'Choose at least one person or group.');
  if (length > assigneesAtMost) throw new InvalidInputError('to', `You chose ${length} people and groups, and ${assigneesAtMost} is the limit. Use a group for more.`);
}

/** Whether the assignee has the quiz itself, not through a group; undefined where that is not known. */
function hasQuiz(assignee: Assignee, { quiz_id }: Quiz, { quizGroups }: Pick<Directory, 'quizGroups'>): boolean | undefined {
  if (assignee.kind === 'group') return quizGroups.known(quiz_id)?.has(assignee.group.group_id);
  return assignee.user.quizzes.some((quiz) => quiz.quiz_id === quiz_id);
}

/** Reads which assignees have the quiz, with at most a request for users and a request for groups. */
async function readAssignments<Input extends Chosen>({ api, directory, call }: OperationContext, input: Input): Promise<Input> {
  const assignees = uniqueAssignees(input);
  const [firstUser, ...otherUsers] = assignees.flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
  if (assignees.some(({ kind }) => kind === 'group')) directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  if (otherUsers.length > 0) await directory.users.refresh(call);
  else if (firstUser) directory.users.put(await api.users.get(firstUser.user_id, call));
  const users = await directory.users.names(call);
  const now = (assignee: Assignee): Assignee => (assignee.kind === 'user' ? { kind: 'user', user: users.byId(assignee.user.user_id) ?? assignee.user } : assignee);
  return { ...input, to: input.to?.map(now), people: input.people?.map(now) };
}

/** Does what can be done and lists the rest; fails only when nothing could be done. */
async function forEach(assignees: readonly Assignee[], couldNot: string, act: (assignee: Assignee) => Promise<void>): Promise<{ succeeded: Assignee[]; problems: string[] }> {
  const succeeded: Assignee[] = [];
  const failed: { assignee: Assignee; error: unknown }[] = [];
  const waiting = [...assignees];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const assignee = next;
      await act(assignee).then(
        () => succeeded.push(assignee),
        (error: unknown) => failed.push({ assignee, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  const [firstFailure] = failed;
  if (succeeded.length === 0 && firstFailure) throw firstFailure.error;
  return { succeeded, problems: failed.map(({ assignee, error }) => `${couldNot} ${assigneesInWords([assignee])}: ${reasonOf(error)}.`) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof QuizApiError)) return 'something went wrong in the bot';
  return error.serviceMessage?.replace(/\.$/, '') ?? 'the quiz service didn’t answer';
}

/** Starts from the user in the directory, since several quizzes can be assigned at the same time. */
async function changeQuizzes({ directory, call }: OperationContext, { user }: Assignee & { kind: 'user' }, edit: (quizzes: User['quizzes']) => User['quizzes']): Promise<void> {
  const known = (await directory.users.names(call)).byId(user.user_id) ?? user;
  directory.users.put({ ...known, quizzes: edit(known.quizzes) });
}

function without(quizzes: User['quizzes'], quiz: Quiz): User['quizzes'] {
  return quizzes.filter(({ quiz_id }) => quiz_id !== quiz.quiz_id);
}
