import type { Directory } from '../../directory/directory.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { OperationContext } from '../../operations/context.ts';
import { uniqueAssignees, type Assignee } from '../../operations/fields/assignees.ts';

export interface Chosen {
  quiz: Quiz;
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}

/** Whether each chosen person or group has the quiz itself; undefined where that is not known. */
export function haveQuiz({ quiz, ...chosen }: Chosen, known: Pick<Directory, 'quizGroups'>): (boolean | undefined)[] {
  return uniqueAssignees(chosen).map((assignee) => hasQuiz(assignee, quiz, known));
}

/** Whether all answers are the wanted one; undefined where one is not known. */
export function all(answers: readonly (boolean | undefined)[], wanted: boolean): boolean | undefined {
  return answers.includes(undefined) ? undefined : answers.every((answer) => answer === wanted);
}

/** Whether the assignee has the quiz itself, not through a group; undefined where that is not known. */
export function hasQuiz(
  assignee: Assignee,
  { quiz_id }: Quiz,
  { quizGroups }: Pick<Directory, 'quizGroups'>,
): boolean | undefined {
  if (assignee.kind === 'group') return quizGroups.known(quiz_id)?.has(assignee.group.group_id);
  return assignee.user.quizzes.some((quiz) => quiz.quiz_id === quiz_id);
}

/** Reads which assignees have the quiz, with at most a request for users and a request for groups. */
export async function readAssignments<Input extends Chosen>(
  { api, directory, call }: OperationContext,
  input: Input,
): Promise<Input> {
  const assignees = uniqueAssignees(input);
  const [firstUser, ...otherUsers] = assignees.flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
  if (assignees.some(({ kind }) => kind === 'group'))
    directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  if (otherUsers.length > 0) await directory.users.refresh(call);
  else if (firstUser) await directory.users.read(firstUser.user_id, () => api.users.get(firstUser.user_id, call));
  const users = await directory.users.names(call);
  const now = (assignee: Assignee): Assignee =>
    assignee.kind === 'user' ? { ...assignee, user: users.byId(assignee.user.user_id) ?? assignee.user } : assignee;
  return { ...input, to: input.to?.map(now), people: input.people?.map(now) };
}

/** The assignees that have the quiz by what the service says now, or that do not have it. */
export async function whoseQuizIs(
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
