import { foldAddress, isFullAddress } from '../../domain/address.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

type Respondent = Pick<QuizResponse, 'response_id' | 'user_id' | 'email_address'>;

/**
 * A predicate for the attempts of some users: those with their user ID, and those without any that have one of their full
 * addresses. A name does not identify a person.
 */
export function isAttemptOf(
  ...users: readonly Pick<User, 'user_id' | 'user_name' | 'email_address'>[]
): (response: Respondent) => boolean {
  const ids = new Set(users.map(({ user_id }) => user_id));
  const addresses = new Set(
    users
      .flatMap(({ email_address, user_name }) => [email_address, user_name])
      .filter(isFullAddress)
      .map(foldAddress),
  );
  return ({ user_id, email_address }) =>
    user_id ? ids.has(user_id) : addresses.has(foldAddress(email_address.trim()));
}

/**
 * The attempts of each person, in the order in which they come. Attempts belong to the same person only if the user ID or
 * a full address says so; a guest without an address is a person of their own in every attempt.
 */
export function byRespondent<Response extends Respondent>(responses: readonly Response[]): Response[][] {
  const usersWith = new Map<string, Set<string>>();
  for (const response of responses) {
    const address = addressOf(response);
    if (!response.user_id || address === undefined) continue;
    usersWith.set(address, (usersWith.get(address) ?? new Set()).add(response.user_id));
  }
  const keyOf = (response: Response): string => {
    if (response.user_id) return `user ${response.user_id}`;
    const address = addressOf(response);
    if (address === undefined) return `response ${response.response_id}`;
    const [userId, ...others] = usersWith.get(address) ?? [];
    return userId !== undefined && others.length === 0 ? `user ${userId}` : `address ${address}`;
  };
  return [...Map.groupBy(responses, keyOf).values()];
}

function addressOf({ email_address }: Respondent): string | undefined {
  const address = email_address.trim();
  return isFullAddress(address) ? address.toLowerCase() : undefined;
}
