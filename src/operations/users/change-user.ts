import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationContext } from '../context.ts';

/** Changes a user in the service and in the directory. */
export async function changeUser(
  { api, directory, call }: OperationContext,
  user: User,
  changes: Omit<UserChanges, 'password'>,
): Promise<void> {
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  directory.users.put({ ...user, ...given });
}
