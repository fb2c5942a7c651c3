import type { SubmissionFilter } from '../../domain/subscription.ts';
import type { Log } from '../../observability/log.ts';
import type { Responses } from '../../quiz-api/responses.ts';
import { hasResult } from '../match-subscriptions.ts';
import { submissionOf } from '../submission.ts';
import { meanOf, type WeekBefore } from './digest-of.ts';

const weekMs = 7 * 24 * 3_600_000;
/** Each costs a request. */
const quizzesAtMost = 10;
/** For all requests together: a digest waits no longer for the comparison. */
const timeoutMs = 60_000;

/**
 * Asks the quiz service how quizzes went in the week before a moment (milliseconds since the epoch), by the
 * subscription's filter. Only the first ten quizzes are asked for; those that the service does not answer are missing.
 */
export async function weekBefore(
  deps: { responses: Pick<Responses, 'list'>; log: Log; now: () => number },
  quizIds: readonly string[],
  { filter, before }: { filter: SubmissionFilter; before: number },
): Promise<Map<string, WeekBefore>> {
  const deadline = deps.now() + timeoutMs;
  const weeks = new Map<string, WeekBefore>();
  for (const quizId of quizIds.slice(0, quizzesAtMost)) {
    try {
      const responses = await deps.responses.list(quizId, { priority: 'background', deadline });
      const percentages = responses
        .filter(({ status }) => status === 'submitted')
        .map((response) => submissionOf(response, false))
        .filter((submission) => isWithin(submission.submittedAt, before - weekMs, before) && hasResult(submission, filter))
        .map(({ percentage }) => percentage);
      weeks.set(quizId, { submitted: percentages.length, mean: meanOf(percentages) });
    } catch (error) {
      deps.log.warn({ error, quiz: quizId }, 'a digest goes without the week before: the quiz service did not answer');
    }
  }
  return weeks;
}

function isWithin(moment: number | null, from: number, to: number): boolean {
  return moment !== null && moment >= from && moment < to;
}
