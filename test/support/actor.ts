import type { Actor } from '../../src/directory/identity.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { quizUser } from './user.ts';

/** Somebody in Slack who is this user of the account, a respondent unless told otherwise, or nobody there. */
export function actor(user: Partial<User> | undefined, overrides: Partial<Actor> = {}): Actor {
  return { personId: 'U1', isOwner: false, user: user && quizUser(user), nobody: user ? undefined : 'no quiz user', ...overrides };
}
