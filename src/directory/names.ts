import type { User } from '../quiz-api/users.ts';

/** How a user is called where people read it: by name, and by login name where there is none. */
export function fullName(user: Pick<User, 'first_name' | 'last_name' | 'user_name'>): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.user_name;
}
