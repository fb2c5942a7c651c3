import type { Digest, DigestOfQuiz, Submission } from '../../domain/queue-entry.ts';

export type WeekBefore = NonNullable<DigestOfQuiz['weekBefore']>;

/**
 * Sums up submissions: the quiz with most of them first, and in each quiz the people who did not pass in the order of
 * the submissions.
 * @param period milliseconds since the epoch
 * @param weekBefore by quiz id; quizzes whose week before is unknown are missing
 */
export function digestOf(submissions: readonly Submission[], period: { from: number; to: number }, weekBefore: ReadonlyMap<string, WeekBefore>): Digest {
  const quizzes = [...Map.groupBy(submissions, ({ quizId }) => quizId)]
    .map(([quizId, own]) => digestOfQuiz(quizId, own, weekBefore.get(quizId)))
    .toSorted((a, b) => b.submitted - a.submitted);
  return { from: period.from, to: period.to, quizzes };
}

function digestOfQuiz(quizId: string, submissions: readonly Submission[], weekBefore: WeekBefore | undefined): DigestOfQuiz {
  const percentages = submissions.map(({ percentage }) => percentage);
  const failed = submissions.filter(({ passed }) => !passed);
  return {
    quizId,
    quizName: submissions.at(-1)?.quizName ?? '',
    submitted: submissions.length,
    passed: submissions.length - failed.length,
    mean: meanOf(percentages) ?? 0,
    ...(weekBefore && { weekBefore }),
    percentages,
    failed: failed.map(({ name }) => name),
  };
}

/** @returns null for no numbers */
export function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
