import { named } from '../../domain/sentence.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import { groupsWithout, isIn } from './belonging.ts';
import { say } from '../../domain/said.ts';

/** A new user, and in which group they are by what was just done; `note` says it, as a sentence after another one. */
export interface Joined {
  user: User | undefined;
  note: string;
}

/**
 * Puts a new user into the group that the bot is for, where it is for one group of the account. Of many users, one who cannot be
 * put there is looked up and put there later, so the error is thrown.
 *
 * @param user undefined where the service does not list them yet
 */
export async function joinHomeGroup(
  { api, directory, call, isOneOfMany }: Pick<OperationContext, 'api' | 'directory' | 'call' | 'isOneOfMany'>,
  user: User | undefined,
): Promise<Joined> {
  const group = await directory.homeGroup?.(call);
  if (group === undefined) return { user, note: '' };
  if (user === undefined) return { user, note: notIn(group) };
  if (isIn(user, [group])) return { user, note: isInNow(group) };
  try {
    await api.users.assignGroup(user.user_id, group.group_id, call);
  } catch (error) {
    if (isOneOfMany) throw error;
    return { user, note: notIn(group) };
  }
  const withGroup = (known: User): User => ({ ...known, groups: [...groupsWithout(known, group), group] });
  directory.users.edit(user.user_id, withGroup);
  return { user: withGroup(user), note: isInNow(group) };
}

function isInNow({ group_name }: Group): string {
  return ` ${say`They’re in the group ${named(group_name)}.`}`;
}

function notIn({ group_name }: Group): string {
  return ` ${say`They couldn’t be added to the group ${named(group_name)}, so they don’t have its quizzes yet.`}`;
}
