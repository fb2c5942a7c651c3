import { markedPerson } from '../../../domain/said.ts';
import { countOutcomes, gradedPercentages } from '../../../domain/submission-outcome.ts';
import type { Digest, DigestOfQuiz, Submission } from '../../../domain/queue-entry.ts';
import type { SubmissionFilter } from '../../../domain/subscription.ts';
import type { Log } from '../../../observability/log.ts';
import type { Responses } from '../../../quiz-api/quiz-api.ts';
import { isSubmitted } from '../../../quiz-api/responses.ts';
import { hasResult } from '../match-subscriptions.ts';
import { submissionOf } from '../event.ts';

type WeekBefore = NonNullable<DigestOfQuiz['weekBefore']>;

const weekMs = 7 * 24 * 3_600_000;
/** Each costs a request. */
const quizzesAtMost = 10;
/** For all requests together: a digest waits no longer for the comparison. */
const timeoutMs = 60_000;

/**
 * Sums up submissions: the quiz with most of them first, and in each quiz the people who failed in the order of their
 * submissions.
 * @param period milliseconds since the epoch
 * @param weekBefore by quiz id; quizzes whose week before is unknown are missing
 */
export function digestOf(
  submissions: readonly Submission[],
  period: { from: number; to: number },
  weekBefore: ReadonlyMap<string, WeekBefore>,
): Digest {
  const quizzes = [...Map.groupBy(submissions, ({ quizId }) => quizId)]
    .map(([quizId, own]) => digestOfQuiz(quizId, own, weekBefore.get(quizId)))
    .toSorted((a, b) => b.submitted - a.submitted);
  return { from: period.from, to: period.to, quizzes };
}

function digestOfQuiz(
  quizId: string,
  submissions: readonly Submission[],
  weekBefore: WeekBefore | undefined,
): DigestOfQuiz {
  const percentages = gradedPercentages(submissions);
  return {
    quizId,
    quizName: submissions.at(-1)?.quizName ?? '',
    ...countOutcomes(submissions.map(({ outcome }) => outcome)),
    mean: meanOf(percentages),
    ...(weekBefore && { weekBefore }),
    percentages,
    failedNames: submissions.filter(({ outcome }) => outcome === 'failed').map(ofRespondent),
  };
}

/**
 * Asks the quiz service how quizzes went in the week before a moment (milliseconds since the epoch), by the
 * subscription's filter. Only the first ten quizzes are asked for; those that the service does not answer are missing.
 */
export async function loadWeekBefore(
  deps: { responses: Pick<Responses, 'list'>; log: Log; now: () => number },
  quizIds: readonly string[],
  { filter, before }: { filter: SubmissionFilter; before: number },
): Promise<Map<string, WeekBefore>> {
  const deadline = deps.now() + timeoutMs;
  const weeks = new Map<string, WeekBefore>();
  for (const quizId of quizIds.slice(0, quizzesAtMost)) {
    try {
      const responses = await deps.responses.list(quizId, { priority: 'background', deadline });
      const submissions = responses
        .filter(isSubmitted)
        .map((response) => submissionOf(response, false))
        .filter(
          (submission) =>
            isWithin(submission.submittedAt ?? 0, before - weekMs, before) && hasResult(submission, filter),
        );
      const percentages = gradedPercentages(submissions);
      weeks.set(quizId, { graded: percentages.length, mean: meanOf(percentages) });
    } catch (error) {
      deps.log.warn({ error, quiz: quizId }, 'a digest goes without the week before: the quiz service did not answer');
    }
  }
  return weeks;
}

function isWithin(moment: number, from: number, to: number): boolean {
  return moment >= from && moment < to;
}

/** @returns null for no numbers */
function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Their name, marked as theirs where they are a user of the account. */
function ofRespondent({ userId, name }: Submission): string {
  return userId === undefined ? name : markedPerson(userId, name);
}
