import type { QuizActivity } from './quiz-activity.ts';

/**
 * What is left to compare after the store lost its content: every quiz once, as fast as background work may. Webhooks that the
 * store had taken do not come again, so nothing is waited for.
 */
export interface CatchingUp {
  /** When the loss was noticed, in milliseconds since the epoch. */
  since: number;
  /** The last one that was compared, of those without recent submissions. */
  lastQuizId: string;
}

/** Right after a loss, `ALERTS_CHANNEL` is not subscribed again yet: then nothing is there to compare. */
export const noQuizzesYet = { forMs: 60_000, looksEveryMs: 2_000 };

/**
 * The quiz whose turn it is: those with recent submissions first. Undefined: everything is compared.
 *
 * @param quizIds all that are compared, in order
 * @param comparedAt when quizzes with recent submissions were compared last
 */
export function nextToCatchUp(
  quizIds: readonly string[],
  { since, lastQuizId }: CatchingUp,
  { isActive, comparedAt }: Pick<QuizActivity, 'isActive'> & { comparedAt: ReadonlyMap<string, number> },
): { quizId: string; catchingUp: CatchingUp } | undefined {
  const active = quizIds.find((id) => isActive(id) && (comparedAt.get(id) ?? -Infinity) < since);
  if (active !== undefined) return { quizId: active, catchingUp: { since, lastQuizId } };
  const other = quizIds.find((id) => id > lastQuizId && !isActive(id));
  return other === undefined ? undefined : { quizId: other, catchingUp: { since, lastQuizId: other } };
}
