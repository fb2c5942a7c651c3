import { isGraded, type SubmissionOutcome } from './submission-outcome.ts';

/** The result of a submitted response. Null: the service does not say. */
export interface Result {
  outcome: SubmissionOutcome;
  points: number | null;
  availablePoints: number | null;
  /** Percent. */
  percentage: number | null;
  grade: string;
  attempt: number | null;
  durationSeconds: number | null;
}

/**
 * The figures that mean something, rounded: percentages to one decimal, points to two. The service writes 0 points for a
 * quiz that is not graded or not marked yet, and may write attempt 0.
 */
export function knownResult({
  outcome,
  points,
  availablePoints,
  percentage,
  grade,
  attempt,
  durationSeconds,
}: Result): Result {
  const hasPoints = outcome !== 'unmarked' && points !== null && availablePoints !== 0;
  return {
    outcome,
    points: hasPoints ? roundedPoints(points) : null,
    availablePoints: hasPoints && availablePoints !== null ? roundedPoints(availablePoints) : null,
    percentage: percentage !== null && (isGraded(outcome) || hasPoints) ? roundedPercentage(percentage) : null,
    grade: grade.trim(),
    attempt: attempt !== null && attempt >= 1 ? attempt : null,
    durationSeconds: durationSeconds !== null && durationSeconds >= 0 ? durationSeconds : null,
  };
}

/** With at most one decimal: the service sends tails such as 33.333333333333336. Only all is 100, and only none is 0. */
export function roundedPercentage(percentage: number, decimals: 0 | 1 = 1): number {
  const near = rounded(percentage, decimals);
  const least = decimals === 0 ? 1 : 0.1;
  if (near === 100 && percentage < 100) return 100 - least;
  return near === 0 && percentage > 0 ? least : near;
}

/** Points with at most two decimals. */
export function roundedPoints(points: number): number {
  return rounded(points, 2);
}

function rounded(value: number, decimals: number): number {
  // `+ 0` turns -0 into 0.
  return (Number.isInteger(value) ? value : Number(value.toFixed(decimals))) + 0;
}

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
