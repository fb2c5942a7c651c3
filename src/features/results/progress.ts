import { foldAddress, isFullAddress } from '../../domain/address.ts';
import { isSubmitted, type QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

/** How far a person is with a quiz. `submitted` is not graded or waiting to be marked; one passed attempt is enough. */
export type Progress = 'not taken' | 'begun' | 'failed' | 'submitted' | 'passed';

type Respondent = Pick<User, 'user_id' | 'user_name' | 'email_address'>;

/** How far each user is with the quiz of these responses, by user ID. */
export function progressOf(users: readonly Respondent[], responses: readonly QuizResponse[]): Map<string, Progress> {
  return new Map([...attemptsOf(users, responses)].map(([userId, attempts]) => [userId, furthest(attempts)]));
}

/**
 * The attempts of each user, by user ID. A response belongs to a user as `isAttemptOf` says; the time is in proportion to
 * users and responses together.
 */
export function attemptsOf(
  users: readonly Respondent[],
  responses: readonly QuizResponse[],
): Map<string, QuizResponse[]> {
  const byUserId = Map.groupBy(responses, ({ user_id }) => user_id ?? '');
  const byAddress = Map.groupBy(byUserId.get('') ?? [], ({ email_address }) => foldAddress(email_address.trim()));
  return new Map(
    users.map((user) => {
      const addresses = new Set([user.email_address, user.user_name].filter(isFullAddress).map(foldAddress));
      return [
        user.user_id,
        [...(byUserId.get(user.user_id) ?? []), ...[...addresses].flatMap((address) => byAddress.get(address) ?? [])],
      ];
    }),
  );
}

function furthest(attempts: readonly QuizResponse[]): Progress {
  const submitted = attempts.filter(isSubmitted);
  if (submitted.some(({ outcome }) => outcome === 'passed')) return 'passed';
  if (submitted.some(({ outcome }) => outcome !== 'failed')) return 'submitted';
  if (submitted.length > 0) return 'failed';
  return attempts.length > 0 ? 'begun' : 'not taken';
}
