import type { ResultWait, StepEnding } from '../../domain/workflow.ts';
import { NotFoundError } from '../../quiz-api/errors.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';

/** What of these waits is not in the quiz account any more, by IDs. @throws a `QuizApiError` where the service cannot be asked */
export type FindGone = (
  waits: readonly Pick<ResultWait, 'quizId' | 'userId'>[],
) => Promise<{ users: ReadonlySet<string>; quizzes: ReadonlySet<string> }>;

/** Looks in the lists of the account, and asks the service for what they lack: they can be older than a user. */
export function createFindGone(deps: {
  api: { users: Pick<QuizApi['users'], 'get'>; quizzes: Pick<QuizApi['quizzes'], 'get'> };
  /** All of the account. */
  users: () => Promise<readonly User[]>;
  quizzes: () => Promise<readonly Quiz[]>;
}): FindGone {
  const call = { priority: 'background' } as const;
  return async (waits) => {
    const [users, quizzes] = await Promise.all([deps.users(), deps.quizzes()]);
    const listed = new Set([...users.map(({ user_id }) => user_id), ...quizzes.map(({ quiz_id }) => quiz_id)]);
    const missing = (ids: string[]) => [...new Set(ids)].filter((id) => !listed.has(id));
    return {
      users: await goneOf(missing(waits.map(({ userId }) => userId)), async (id) => deps.api.users.get(id, call)),
      quizzes: await goneOf(missing(waits.map(({ quizId }) => quizId)), async (id) => deps.api.quizzes.get(id, call)),
    };
  };
}

async function goneOf(ids: readonly string[], read: (id: string) => Promise<unknown>): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (const id of ids)
    try {
      await read(id);
    } catch (error) {
      if (!(error instanceof NotFoundError && error.isFromService)) throw error;
      gone.add(id);
    }
  return gone;
}

/** How a wait ends whose user or quiz is gone; undefined where both are there. */
export function endingWithout(
  { userId, quizId, names }: ResultWait,
  gone: Awaited<ReturnType<FindGone>>,
): StepEnding | undefined {
  const [isUserGone, isQuizGone] = [gone.users.has(userId), gone.quizzes.has(quizId)];
  if (!isUserGone && !isQuizGone) return undefined;
  const what = isUserGone ? (names?.user ?? 'The person') : names ? `“${names.quiz}”` : 'The quiz';
  return { kind: 'error', message: `${what} isn’t in the quiz account any more, so there’s no result to wait for.` };
}
