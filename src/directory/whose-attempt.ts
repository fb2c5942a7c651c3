import { foldAddress, isFullAddress } from '../domain/address.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { User } from '../quiz-api/records.ts';

/** Whose attempt a response is: the ID of a user; undefined for a guest. */
export type WhoseAttempt = (response: Pick<QuizResponse, 'user_id' | 'email_address'>) => string | undefined;

type Respondent = Pick<User, 'user_id' | 'user_name' | 'email_address'>;

/** By the list of an account, which is another array after each change. */
const known = new WeakMap<readonly Respondent[], WhoseAttempt>();

/**
 * The one rule that says whose attempt a response is: the user whose ID it has, in any case; without an ID, the user whose full
 * address it has, as user name or e-mail address, if it is only one’s. A name identifies nobody.
 *
 * @param users all users of the account: an address that several have is nobody’s
 */
export function whoseAttemptAmong(users: readonly Respondent[]): WhoseAttempt {
  const made = known.get(users) ?? ruleFor(users);
  known.set(users, made);
  return made;
}

function ruleFor(users: readonly Respondent[]): WhoseAttempt {
  const byId = new Map(users.map(({ user_id }) => [user_id.toLowerCase(), user_id]));
  const byAddress = new Map<string, string | undefined>();
  for (const { user_id, user_name, email_address } of users)
    for (const address of new Set([addressIn(user_name), addressIn(email_address)]))
      if (address !== undefined) byAddress.set(address, byAddress.has(address) ? undefined : user_id);
  return ({ user_id, email_address }) =>
    user_id ? (byId.get(user_id.toLowerCase()) ?? user_id) : byAddress.get(addressIn(email_address) ?? '');
}

/** The full address that a text is, as a key. */
export function addressIn(text: string): string | undefined {
  const address = text.trim();
  return isFullAddress(address) ? foldAddress(address) : undefined;
}

/** The attempts of each user who has any, by user ID. @param users all users of the account */
export function attemptsOf(
  users: readonly Respondent[],
  responses: readonly QuizResponse[],
): ReadonlyMap<string | undefined, QuizResponse[]> {
  return Map.groupBy(responses, whoseAttemptAmong(users));
}
