import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';

/** The service decides which rights a user of another type still has. Until it says so, they have none that were not given. */
const none = { edit_quizzes: false, manage_users: false, manage_groups: false };

/** Changes a user in the service and in the directory. */
export async function changeUser(
  { api, directory, call }: OperationContext,
  user: User,
  changes: Omit<UserChanges, 'password'>,
): Promise<void> {
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const hasOtherType = changes.user_type !== undefined;
  const { user_id: id } = user;
  directory.users.edit(id, (known) => ({ ...known, ...(hasOtherType && none), ...given }));
  if (hasOtherType) await directory.users.read(id, () => api.users.get(id, call)).catch(() => {});
}
