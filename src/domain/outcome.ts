/**
 * How a submitted response went. A survey is not graded, and an essay is unmarked until a trainer marks it: neither is a
 * failure. Only passed and failed responses count in pass rates and averages.
 */
export type Outcome = 'passed' | 'failed' | 'not graded' | 'unmarked';

/** The result of a submitted response, as the quiz service tells it. Null: the service does not say. */
export interface Marks {
  points: number | null;
  availablePoints: number | null;
  grade: string;
  passed: boolean | null;
}

/**
 * Tells the outcome from the marks. The service has no field for it: a survey has no points to score and no grade, and
 * an essay that waits to be marked has 0 points and no grade.
 */
export function outcomeOf({ points, availablePoints, grade, passed }: Marks): Outcome {
  const isWithoutGrade = grade.trim() === '';
  if (isWithoutGrade && availablePoints === 0) return 'not graded';
  if (passed === true) return 'passed';
  if (isWithoutGrade && points === 0) return 'unmarked';
  return passed === false ? 'failed' : 'not graded';
}

/** Whether an outcome counts in pass rates and averages. */
export function isGraded(outcome: Outcome | null): outcome is 'passed' | 'failed' {
  return outcome === 'passed' || outcome === 'failed';
}
