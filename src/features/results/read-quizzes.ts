import { BudgetError, NotFoundError, RateLimitedError, TimeoutError } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';

/** Half a minute’s requests. A button goes on with the next ones. */
export const quizzesAtOnce = 30;

/** A tenth of the requests of a minute. Of more quizzes, what people wait for elsewhere goes first. */
const readAtOnce = 6;

/**
 * Reads the responses to quizzes, one after the other, with a request each: the first ones as what a person waits for, the others in the
 * background, so that they take nothing from people. Quizzes that are deleted meanwhile count as read.
 *
 * @returns how many were read before the time or the requests were used up
 * @throws a `QuizApiError` where the service cannot be asked for the first one
 */
export async function readQuizzes(
  { api, call }: Pick<OperationContext, 'api' | 'call'>,
  quizzes: readonly Quiz[],
  use: (quiz: Quiz, responses: readonly QuizResponse[]) => Promise<void>,
): Promise<number> {
  for (const [index, quiz] of quizzes.entries()) {
    const options = index < readAtOnce ? call : { ...call, priority: 'background' as const };
    try {
      await api.responses.using(quiz.quiz_id, options, async (responses) => use(quiz, responses));
    } catch (error) {
      if (error instanceof NotFoundError && error.isFromService) continue;
      if (index > 0 && isUsedUp(error)) return index;
      throw error;
    }
  }
  return quizzes.length;
}

function isUsedUp(error: unknown): boolean {
  return error instanceof BudgetError || error instanceof RateLimitedError || error instanceof TimeoutError;
}

/** Those first that people can take now, and of these the newest. */
export function likeliestFirst(quizzes: readonly Quiz[]): Quiz[] {
  const states = ['open', 'closed', 'in_design'];
  const createdAt = ({ date_created: date }: Quiz) => date?.getTime() ?? 0;
  return quizzes.toSorted((a, b) => states.indexOf(a.status) - states.indexOf(b.status) || createdAt(b) - createdAt(a));
}
