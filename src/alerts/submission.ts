import type { Submission } from '../domain/queue-entry.ts';
import { shortRespondentName } from '../domain/short-name.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';

/** The part of a response that is announced. */
export function submissionOf(response: QuizResponse, isBackfilled: boolean): Submission {
  return {
    quizId: response.quiz_id,
    quizName: response.quiz_name,
    responseId: response.response_id,
    name: shortRespondentName(response),
    points: response.points,
    availablePoints: response.available_points,
    percentage: response.percentage_score,
    grade: response.grade,
    passed: response.pass,
    attempt: response.attempt,
    durationSeconds: response.duration,
    submittedAt: response.date_submitted?.getTime() ?? null,
    isBackfilled,
  };
}
