import { nameOrId } from '../../domain/name-or-id.ts';
import type { User, UserWithResults } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { assignedQuizzesOf } from '../quizzes/assigned-quizzes.ts';

/** A user with the names of what they train. The service may show only the ids: the directory may know the names. */
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
  return {
    kind: 'user',
    user,
    assigned: await assignedQuizzesOf(user, context),
    groups: user.groups.map(groupName),
    trains: {
      quizzes: trainerquizzes.map(({ quiz_id, name }) => {
        const known = quizzes?.byId(quiz_id);
        return nameOrId('quiz', name || (known && visibility.quiz(known) ? known.name : ''), quiz_id);
      }),
      groups: trainergroups.map(groupName),
    },
  };
}
