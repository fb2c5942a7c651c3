import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Assignee } from '../../operations/fields/people.ts';
import { hasQuiz } from '../users/belonging.ts';
import type { NewAssignee } from '../../operations/operation-result.ts';

/** The members of a group who get a message about a quiz. At 300 messages a minute, they take over three minutes. */
const membersAtMost = 1_000;

type Context = Pick<OperationContext, 'directory' | 'actor' | 'call'>;

/**
 * Finds out who has a quiz, before it is assigned: the users who get it through an assignment, and get a message, are those
 * without it. The person who assigns it gets none, and neither do suspended users. Of the quiz's groups, it knows those
 * that were read for another purpose: reading them here would cost every assignment a request.
 *
 * @returns gives an assignee's users without the quiz
 */
export async function usersWithout(
  quiz: Quiz,
  { directory, actor, call }: Context,
): Promise<(assignee: Assignee) => NewAssignee[]> {
  const groups = [...directory.quizGroups.knownInPart(quiz.quiz_id)].map((group_id) => ({ group_id }));
  const users = await directory.users.get(call);
  const isNew = (user: User) =>
    !user.suspended && user.user_id !== actor.user?.user_id && !hasQuiz(user, quiz.quiz_id, groups);

  return (assignee) => {
    const meant =
      assignee.kind === 'user'
        ? [users.find(({ user_id }) => user_id === assignee.user.user_id) ?? assignee.user]
        : users.filter((user) => user.groups.some(({ group_id }) => group_id === assignee.group.group_id));
    const through = assignee.kind === 'group' ? { groupId: assignee.group.group_id } : {};
    return meant
      .filter(isNew)
      .slice(0, membersAtMost)
      .map(({ user_id: userId }) => ({ userId, ...through }));
  };
}
