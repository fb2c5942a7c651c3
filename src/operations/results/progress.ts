import { foldAddress, isFullAddress } from '../../domain/address.ts';
import { isSubmitted, type QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

/** How far a person is with a quiz. `submitted` is failed, not graded or waiting to be marked; one passed attempt is enough. */
export type Progress = 'not taken' | 'begun' | 'submitted' | 'passed';

type Respondent = Pick<User, 'user_id' | 'user_name' | 'email_address'>;

/**
 * How far each user is with the quiz of these responses, by user ID. A response belongs to a user as `isAttemptOf` says; the
 * time is in proportion to users and responses together.
 */
export function progressOf(users: readonly Respondent[], responses: readonly QuizResponse[]): Map<string, Progress> {
  const byUserId = new Map<string, Progress>();
  const byAddress = new Map<string, Progress>();
  for (const response of responses) {
    const { user_id: userId, email_address: address } = response;
    if (userId) note(byUserId, userId, response);
    else if (isFullAddress(address.trim())) note(byAddress, foldAddress(address.trim()), response);
  }
  return new Map(
    users.map((user) => {
      const addresses = [user.email_address, user.user_name].filter(isFullAddress);
      const found = [byUserId.get(user.user_id), ...addresses.map((address) => byAddress.get(foldAddress(address)))];
      return [user.user_id, found.reduce<Progress>((best, progress) => further(best, progress ?? 'not taken'), 'not taken')];
    }),
  );
}

const upwards: readonly Progress[] = ['not taken', 'begun', 'submitted', 'passed'];

function further(a: Progress, b: Progress): Progress {
  return upwards.indexOf(a) >= upwards.indexOf(b) ? a : b;
}

function note(progress: Map<string, Progress>, key: string, response: QuizResponse): void {
  const now = !isSubmitted(response) ? 'begun' : response.outcome === 'passed' ? 'passed' : 'submitted';
  progress.set(key, further(progress.get(key) ?? 'not taken', now));
}
