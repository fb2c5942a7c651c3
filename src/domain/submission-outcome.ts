/**
 * How a submitted response went. A survey is not graded, and an essay is unmarked until a trainer marks it: neither is a
 * failure. Only passed and failed responses count in pass rates and averages.
 */
export type SubmissionOutcome = 'passed' | 'failed' | 'not graded' | 'unmarked';

/** The result of a submitted response, as the quiz service tells it. Null: the service does not say. */
interface Marks {
  points: number | null;
  availablePoints: number | null;
  grade: string;
  passed: boolean | null;
}

/**
 * Tells the outcome from the marks. The service has no field for it: a survey has no points to score and no grade, and
 * an essay that waits to be marked has 0 points and no grade.
 */
export function outcomeOf({ points, availablePoints, grade, passed }: Marks): SubmissionOutcome {
  const isWithoutGrade = grade.trim() === '';
  if (isWithoutGrade && availablePoints === 0) return 'not graded';
  if (passed === true) return 'passed';
  if (isWithoutGrade && points === 0) return 'unmarked';
  return passed === false ? 'failed' : 'not graded';
}

/** Whether an outcome counts in pass rates and averages. */
export function isGraded(outcome: SubmissionOutcome | null): outcome is 'passed' | 'failed' {
  return outcome === 'passed' || outcome === 'failed';
}

/** Outcomes that people ask for. `ungraded` is both not graded and unmarked. */
export const outcomeFilters = ['passed', 'failed', 'ungraded'] as const;
export type OutcomeFilter = (typeof outcomeFilters)[number];

/** @param outcome null for a response that is not submitted, which no filter lets through */
export function fitsOutcome(outcome: SubmissionOutcome | null, filter: OutcomeFilter): boolean {
  if (filter === 'ungraded') return outcome !== null && !isGraded(outcome);
  return outcome === filter;
}

/** Submitted responses by their outcome. Those in none of the other counts are not graded. */
export interface OutcomeCounts {
  submitted: number;
  passed: number;
  failed: number;
  unmarked: number;
}

/** Counts outcomes. Null is a response that is not submitted, and does not count. */
export function countOutcomes(outcomes: readonly (SubmissionOutcome | null)[]): OutcomeCounts {
  const count = (counted: SubmissionOutcome) => outcomes.filter((outcome) => outcome === counted).length;
  return {
    submitted: outcomes.filter((outcome) => outcome !== null).length,
    passed: count('passed'),
    failed: count('failed'),
    unmarked: count('unmarked'),
  };
}

export function addCounts(one: OutcomeCounts, other: OutcomeCounts): OutcomeCounts {
  return {
    submitted: one.submitted + other.submitted,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    unmarked: one.unmarked + other.unmarked,
  };
}

export function gradedIn({ passed, failed }: OutcomeCounts): number {
  return passed + failed;
}

/** The share of passed responses among the graded ones, in percent; undefined where nothing is graded. */
export function passRateOf(counts: OutcomeCounts): number | undefined {
  const graded = gradedIn(counts);
  return graded === 0 ? undefined : (100 * counts.passed) / graded;
}

/** The percentages that count in averages. */
export function gradedPercentages(
  results: readonly { outcome: SubmissionOutcome | null; percentage: number | null }[],
): number[] {
  return results.flatMap(({ outcome, percentage }) => (isGraded(outcome) ? (percentage ?? []) : []));
}
