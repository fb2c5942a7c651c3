import { knownResult, type Result } from './result.ts';
import type { SubmissionOutcome } from './submission-outcome.ts';

/** How a submission went, as far as a correction can change it. */
export type EarlierResult = Pick<Result, 'outcome' | 'points' | 'availablePoints' | 'percentage' | 'grade'>;

/** What is kept of a submission that was taken, so that the next event about it announces only what has changed. */
export interface KnownSubmission extends EarlierResult {
  /** Seconds since the epoch; null where the service does not tell. */
  submittedAt: number | null;
  /** When the service reported it, by the webhook's `event_date`, in seconds since the epoch; null where no webhook did or says. */
  reportedAt: number | null;
}

type Kept = [SubmissionOutcome, number | null, number | null, number | null, string, number | null, number | null];

/** UTF-16 units of a grade that are compared and kept. */
const longestGrade = 40;

/** @param submittedAt milliseconds since the epoch, as `reportedAt` */
export function knownSubmission(
  result: Result & { submittedAt: number | null },
  reportedAt: number | null,
): KnownSubmission {
  const { outcome, points, availablePoints, percentage, grade } = knownResult(result);
  return {
    outcome,
    points,
    availablePoints,
    percentage,
    grade: grade.slice(0, longestGrade).toWellFormed(),
    submittedAt: inSeconds(result.submittedAt),
    reportedAt: inSeconds(reportedAt),
  };
}

/** A short text, of some 50 characters, as the store keeps it. */
export function textOfKnown(known: KnownSubmission): string {
  const { outcome, points, availablePoints, percentage, grade, submittedAt, reportedAt } = known;
  const kept: Kept = [outcome, points, availablePoints, percentage, grade, submittedAt, reportedAt];
  return JSON.stringify(kept);
}

/** @param text from {@link textOfKnown} */
export function readKnown(text: string): KnownSubmission {
  const [outcome, points, availablePoints, percentage, grade, submittedAt, reportedAt] = JSON.parse(text) as Kept;
  return { outcome, points, availablePoints, percentage, grade, submittedAt, reportedAt };
}

/**
 * Whether a later event about a submission says something else of it than the one before. What only one of them says does
 * not count, since a webhook may lack fields. A submission was made again where two webhooks name different times; the
 * service may write the same moment differently to others. An event that was reported before the other one, or of an
 * earlier submission, corrects nothing.
 */
export function isCorrection(before: KnownSubmission, now: KnownSubmission): boolean {
  const bothReported = before.reportedAt !== null && now.reportedAt !== null;
  if (bothReported && now.reportedAt! < before.reportedAt!) return false;
  if (before.submittedAt !== null && now.submittedAt !== null && now.submittedAt < before.submittedAt) return false;
  const differs = (one: number | string | null, other: number | string | null) =>
    one !== null && other !== null && one !== '' && other !== '' && one !== other;
  return (
    before.outcome !== now.outcome ||
    differs(before.points, now.points) ||
    differs(before.availablePoints, now.availablePoints) ||
    differs(before.percentage, now.percentage) ||
    differs(before.grade, now.grade) ||
    (bothReported && differs(before.submittedAt, now.submittedAt))
  );
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
