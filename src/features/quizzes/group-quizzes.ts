import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';

interface HasAssignments {
  quizzes: readonly Pick<User['quizzes'][number], 'quiz_id'>[];
  groups: User['groups'];
}

/**
 * Reads which quizzes the user’s groups have, without those that are in design.
 * @returns false while the background work for it goes on
 */
export async function readQuizzesOfGroups(
  user: HasAssignments,
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<boolean> {
  if (user.groups.length === 0) return true;
  const direct = new Set(user.quizzes.map(({ quiz_id }) => quiz_id));
  const asked = (await directory.quizzes.get(call)).filter(
    ({ quiz_id, status }) => status !== 'in_design' && !direct.has(quiz_id),
  );
  return directory.quizGroups.load(
    openFirst(asked, ({ status }) => status === 'open').map(({ quiz_id }) => quiz_id),
    call,
  );
}

/** The known quizzes of the user’s groups that are not assigned to the user directly, without those that are in design. */
export function quizzesOfGroups(
  user: HasAssignments,
  listed: readonly Quiz[],
  { directory }: Pick<OperationContext, 'directory'>,
): Quiz[] {
  const direct = new Set(user.quizzes.map(({ quiz_id }) => quiz_id));
  return listed.filter(({ quiz_id, status }) => {
    const groupIds = directory.quizGroups.known(quiz_id);
    return (
      status !== 'in_design' && !direct.has(quiz_id) && user.groups.some(({ group_id }) => groupIds?.has(group_id))
    );
  });
}

export function openFirst<Item>(quizzes: readonly Item[], isOpen: (quiz: Item) => boolean): Item[] {
  return quizzes.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
}
