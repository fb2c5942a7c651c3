import type { Group, User } from '../../quiz-api/users.ts';

/** Whether a user is in one of these groups, by their record. */
export function isIn(user: User, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.groups.some((own) => groups.some(({ group_id }) => group_id !== '' && group_id === own.group_id));
}

/** The groups of a user, without one. */
export function groupsWithout(user: User, group: Group): User['groups'] {
  return user.groups.filter(({ group_id }) => group_id !== group.group_id);
}

/** Whether the quiz is assigned to the user, directly or through one of these groups. */
export function hasQuiz(user: User, quizId: string, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.quizzes.some(({ quiz_id }) => quiz_id === quizId) || isIn(user, groups);
}
