import { addressIn, whoseAttemptAmong, attemptsOf } from '../../directory/whose-attempt.ts';
import type { OperationContext } from '../../operations/context.ts';
import { isSubmitted, type QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/records.ts';
import { knownResult, type Result } from '../../domain/result.ts';

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

/** The fields of a response, or of a user's quiz, that tell how it went. */
type Graded = Pick<
  QuizResponse,
  'outcome' | 'points' | 'available_points' | 'percentage_score' | 'grade' | 'attempt' | 'duration'
>;

/** The result with the figures that mean something, rounded; undefined for a response that is not submitted. */
export function resultOf({
  outcome,
  points,
  available_points,
  percentage_score,
  grade,
  attempt,
  duration,
}: Graded): Result | undefined {
  if (outcome === null) return undefined;
  return knownResult({
    outcome,
    points,
    availablePoints: available_points,
    percentage: percentage_score,
    grade,
    attempt,
    durationSeconds: duration,
  });
}
