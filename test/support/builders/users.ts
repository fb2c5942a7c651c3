import type { Actor } from '../../../src/directory/identity.ts';
import { blankUser, type User } from '../../../src/quiz-api/records.ts';

/** A quiz user, by default a respondent without rights. */
export function quizUser(overrides: Partial<User> = {}): User {
  return {
    ...structuredClone(blankUser),
    user_id: 'u-rosa',
    user_name: 'rosa@quiz.example',
    email_address: 'rosa@quiz.example',
    first_name: 'Rosa',
    last_name: 'Almeida',
    time_zone: 'UTC',
    date_created: '2026-01-01 00:00:00',
    ...overrides,
  };
}

/** A Slack person with a quiz user built from `user`; `undefined` builds a person without one. */
export function actor(user: Partial<User> | undefined, overrides: Partial<Actor> = {}): Actor {
  return {
    personId: 'U1',
    isOwner: false,
    user: user && quizUser(user),
    nobody: user ? undefined : 'no quiz user',
    ...overrides,
  };
}
