import { knownResult, type Result } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

/** The fields of a response, or of a user's quiz, that tell how it went. */
type Graded = Pick<
  QuizResponse,
  'outcome' | 'points' | 'available_points' | 'percentage_score' | 'grade' | 'attempt' | 'duration'
>;

/** The result with the figures that mean something, rounded; undefined for a response that is not submitted. */
export function resultOf({
  outcome,
  points,
  available_points,
  percentage_score,
  grade,
  attempt,
  duration,
}: Graded): Result | undefined {
  if (outcome === null) return undefined;
  return knownResult({
    outcome,
    points,
    availablePoints: available_points,
    percentage: percentage_score,
    grade,
    attempt,
    durationSeconds: duration,
  });
}
