import { attemptsOf } from '../../directory/whose-attempt.ts';
import { isSubmitted, type QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

/** How far a person is with a quiz. `submitted` is not graded or waiting to be marked; one passed attempt is enough. */
export type Progress = 'not taken' | 'begun' | 'failed' | 'submitted' | 'passed';

/** How far each user of the account is with the quiz of these responses, by user ID. */
export function progressOf(
  users: readonly Pick<User, 'user_id' | 'user_name' | 'email_address'>[],
  responses: readonly QuizResponse[],
): Map<string, Progress> {
  const attempts = attemptsOf(users, responses);
  return new Map(users.map(({ user_id }) => [user_id, furthest(attempts.get(user_id) ?? [])]));
}

function furthest(attempts: readonly QuizResponse[]): Progress {
  const submitted = attempts.filter(isSubmitted);
  if (submitted.some(({ outcome }) => outcome === 'passed')) return 'passed';
  if (submitted.some(({ outcome }) => outcome !== 'failed')) return 'submitted';
  if (submitted.length > 0) return 'failed';
  return attempts.length > 0 ? 'begun' : 'not taken';
}
