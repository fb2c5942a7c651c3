import { nameOrId } from '../../domain/short-name.ts';
import { matrixOf, type QuizObligation } from '../../obligations/matrix.ts';
import { visibleRunning } from '../../operations/fields/campaign.ts';
import type { User, UserWithResults } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { userPage } from './pages.ts';
import { assignedQuizzesOf } from '../quizzes/assigned-quizzes.ts';

/** A user with the names of what they train, and what campaigns ask of them. The service may show only the ids: the directory may know the names. */
export async function userResult(context: OperationContext, user: UserWithResults): Promise<OperationResult> {
  const { directory, visibility, call } = context;
  const { trainerquizzes, trainergroups } = user;
  const quizzes = trainerquizzes.some(({ name }) => name === '') ? await directory.quizzes.names(call) : undefined;
  const groups = [...trainergroups, ...user.groups].some(({ group_name }) => group_name === '')
    ? await directory.groups.names(call)
    : undefined;
  const groupName = ({ group_id, group_name }: User['groups'][number]) => {
    const known = groups?.byId(group_id);
    return nameOrId('group', group_name || (known && visibility.group(known) ? known.group_name : ''), group_id);
  };
  const shown = {
    user,
    assigned: await assignedQuizzesOf(user, context),
    obligations: await obligationsOf(user, context),
    groups: user.groups.map(groupName),
    trains: {
      quizzes: trainerquizzes.map(({ quiz_id, name }) => {
        const known = quizzes?.byId(quiz_id);
        return nameOrId('quiz', name || (known && visibility.quiz(known) ? known.name : ''), quiz_id);
      }),
      groups: trainergroups.map(groupName),
    },
  };
  return { kind: 'page', ...userPage(shown) };
}

/** In the campaigns that the reader sees; none for those who may not see results. */
async function obligationsOf({ user_id }: UserWithResults, context: OperationContext): Promise<QuizObligation[]> {
  if (!context.rights.has('edit_quizzes')) return [];
  const { quizzes, rows } = matrixOf(await visibleRunning(context), context.now(), (userId) => userId === user_id);
  return quizzes.flatMap((quiz, place) => {
    const cell = rows[0]?.cells[place];
    return cell ? [{ quiz, cell }] : [];
  });
}
