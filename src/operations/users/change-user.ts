import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationContext } from '../context.ts';

/** Changes a user in the service and in the directory. */
export async function changeUser(
  context: OperationContext,
  user: User,
  changes: Omit<UserChanges, 'password'>,
): Promise<void> {
  const { api, directory, call } = context;
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed = { ...user, ...given };
  directory.users.put(changes.user_type === undefined ? changed : await readRights(context, changed, given));
}

/** The service decides which rights a user of another type still has. Where it does not say, none that were not given. */
async function readRights({ api, call }: OperationContext, changed: User, given: Partial<User>): Promise<User> {
  const none = { edit_quizzes: false, manage_users: false, manage_groups: false };
  return api.users.get(changed.user_id, call).catch(() => ({ ...changed, ...none, ...given }));
}
