import { addressIn, whoseAttemptAmong } from '../../directory/whose-attempt.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

type Respondent = Pick<QuizResponse, 'response_id' | 'user_id' | 'email_address'>;
type Context = Pick<OperationContext, 'directory' | 'call'>;

/** A predicate for the attempts of some users of the account. */
export async function isAttemptOf(
  { directory, call }: Context,
  ...users: readonly Pick<User, 'user_id'>[]
): Promise<(response: Respondent) => boolean> {
  const ids = new Set<string | undefined>(users.map(({ user_id }) => user_id));
  const whose = whoseAttemptAmong(await directory.users.get(call));
  return (response) => ids.has(whose(response));
}

/**
 * The attempts of each person, in the order in which they come. Guests with a full address are one person; a guest without one is a
 * person of their own in every attempt.
 */
export async function byRespondent<Response extends Respondent>(
  { directory, call }: Context,
  responses: readonly Response[],
): Promise<Response[][]> {
  const whose = whoseAttemptAmong(await directory.users.get(call));
  const keyOf = (response: Response): string => {
    const userId = whose(response);
    if (userId !== undefined) return `user ${userId}`;
    const address = addressIn(response.email_address);
    return address === undefined ? `response ${response.response_id}` : `address ${address}`;
  };
  return [...Map.groupBy(responses, keyOf).values()];
}
