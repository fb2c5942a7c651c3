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
export function roundedPercentage(percentage: number): number {
  const near = rounded(percentage, 1);
  if (near === 100 && percentage < 100) return 99.9;
  return near === 0 && percentage > 0 ? 0.1 : near;
}

/** Points with at most two decimals. */
export function roundedPoints(points: number): number {
  return rounded(points, 2);
}

function rounded(value: number, decimals: number): number {
  // `+ 0` turns -0 into 0.
  return (Number.isInteger(value) ? value : Number(value.toFixed(decimals))) + 0;
}
