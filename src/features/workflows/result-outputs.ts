import type { AttemptResult, StepOutputs } from '../../domain/workflow.ts';
import { roundedPercentage, roundedPoints } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

const resultWords = { passed: 'passed', failed: 'failed', 'not graded': 'not graded', unmarked: 'not marked' } as const;

/** The outputs about an attempt; null: there is none. What the service does not say is left out. */
export function resultOutputs(attempt: AttemptResult | null): StepOutputs {
  if (attempt === null) return { result: 'not taken', passed: false };
  const { outcome, points, percentage, grade, submittedAt } = attempt;
  const isMarked = outcome !== 'unmarked';
  return {
    result: resultWords[outcome],
    passed: outcome === 'passed',
    ...(isMarked && points !== null && { score: roundedPoints(points) }),
    ...(isMarked && percentage !== null && { percentage: roundedPercentage(percentage) }),
    ...(grade.trim() !== '' && { grade: grade.trim() }),
    ...(submittedAt !== null && { submitted_at: Math.floor(submittedAt / 1000) }),
  };
}

/** The attempt that counts: a passed attempt, or else the latest. */
export function betterAttempt(known: AttemptResult | null, other: AttemptResult): AttemptResult {
  if (known === null) return other;
  if (known.outcome === 'passed' || other.outcome === 'passed') return other.outcome === 'passed' ? other : known;
  return (other.submittedAt ?? 0) >= (known.submittedAt ?? 0) ? other : known;
}

/** The attempt that counts among responses; null where none is submitted. */
export function attemptIn(responses: readonly QuizResponse[]): AttemptResult | null {
  return attemptsIn(responses).reduce<AttemptResult | null>(betterAttempt, null);
}

/** The submitted attempts among responses. */
export function attemptsIn(responses: readonly QuizResponse[]): AttemptResult[] {
  return responses.flatMap(({ outcome, points, percentage_score: percentage, grade, date_submitted }) =>
    outcome === null ? [] : [{ outcome, points, percentage, grade, submittedAt: date_submitted?.getTime() ?? null }],
  );
}
