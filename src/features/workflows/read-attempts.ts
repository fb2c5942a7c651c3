import type { AttemptResult } from '../../domain/workflow.ts';
import { attemptsOf } from '../results/progress.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { User } from '../../quiz-api/users.ts';
import { attemptsIn } from './result-outputs.ts';

/** The submitted attempts of users of the quiz account, by user ID. */
export type ReadAttempts = (
  quizId: string,
  userIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly AttemptResult[]>>;

const timeoutMs = 30_000;

/** Reads attempts in the background, by nobody's rights: ask whether a person may see them before they do. */
export function createReadAttempts(deps: {
  responses: Pick<Responses, 'list'>;
  /** All users of the account. */
  users: () => Promise<readonly User[]>;
  now: () => number;
}): ReadAttempts {
  return async (quizId, userIds) => {
    const wanted = new Set(userIds);
    const [all, responses] = await Promise.all([
      deps.users(),
      deps.responses.list(quizId, { priority: 'background', deadline: deps.now() + timeoutMs }),
    ]);
    const users = all.filter(({ user_id }) => wanted.has(user_id));
    return new Map([...attemptsOf(users, responses)].map(([userId, attempts]) => [userId, attemptsIn(attempts)]));
  };
}
