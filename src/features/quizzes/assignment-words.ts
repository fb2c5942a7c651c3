import { named, namedList, say } from '../../domain/said.ts';
import type { Quiz, User } from '../../quiz-api/records.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Assignee } from '../../operations/fields/people.ts';
import { hasQuiz } from '../../directory/quiz-groups.ts';
import type { NewAssignee } from '../../operations/page.ts';

/** Why an assignment has no effect for now, as a sentence (`domain/said.ts`); undefined where it has one. `suspended`: the names of people who cannot sign in. */
export function assignmentWarning(quiz: Quiz, suspended: readonly string[] = []): string | undefined {
  const sentences = [
    ...(quiz.status === 'closed' ? [say`${named(quiz.name)} is closed, so nobody can take it until it’s open.`] : []),
    ...(quiz.status === 'in_design'
      ? [say`${named(quiz.name)} is in design, so nobody can take it until it’s open.`]
      : []),
    ...(suspended.length > 0
      ? [say`${namedList(suspended)} ${suspended.length === 1 ? 'is' : 'are'} suspended and can’t sign in.`]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** When people could take a quiz that would be assigned to them, or to a group that they are in. */
export function couldTake({ status }: Pick<Quiz, 'status'>, who: 'they' | 'everyone in the group'): string {
  if (who === 'they')
    return status === 'open'
      ? say`They could take it right away.`
      : say`They could take it as soon as someone opens it.`;
  return status === 'open'
    ? say`Everyone in the group could take it right away.`
    : say`Everyone in the group could take it as soon as someone opens it.`;
}

/** Follows the sentence about an assignment; empty for a quiz that is open. */
export function untilOpen({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? '' : ` ${say`They can take it once it’s open.`}`;
}

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
