import type { Group, User } from '../../quiz-api/users.ts';

/** Whether a user is in a group, by their record. */
export function isIn(user: User, group: Group): boolean {
  return user.groups.some(({ group_id }) => group_id === group.group_id);
}

/** The groups of a user, without one. */
export function without(user: User, group: Group): User['groups'] {
  return user.groups.filter(({ group_id }) => group_id !== group.group_id);
}
