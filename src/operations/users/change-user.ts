import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationContext } from '../context.ts';

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
  directory.users.put({ ...user, ...(hasOtherType && none), ...given });
  if (!hasOtherType) return;
  const read = await api.users.get(user.user_id, call).catch(() => undefined);
  if (read) directory.users.put(read);
}
