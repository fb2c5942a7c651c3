/** A quiz with a submission in this time probably gets another. */
const activeForMs = 24 * 3_600_000;
/** More than can be compared in time. */
const keptAtMost = 500;

export type QuizActivity = ReturnType<typeof createQuizActivity>;

/** Remembers which quizzes have recent submissions, from webhooks and from backfilling. Times are milliseconds since the epoch. */
export function createQuizActivity(now: () => number) {
  const submittedAt = new Map<string, number>();

  function isActive(quizId: string): boolean {
    return now() - (submittedAt.get(quizId) ?? -Infinity) < activeForMs;
  }

  return {
    isActive,
    seen(quizId: string, at: number): void {
      if (at <= (submittedAt.get(quizId) ?? -Infinity)) return;
      submittedAt.delete(quizId);
      submittedAt.set(quizId, at);
      for (const oldest of submittedAt.keys()) if (submittedAt.size > keptAtMost) submittedAt.delete(oldest);
    },
    /** What outlives a restart. */
    kept: (): Record<string, number> => Object.fromEntries([...submittedAt].filter(([quizId]) => isActive(quizId))),
  };
}
