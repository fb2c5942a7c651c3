import type { QuizResponse } from '../quiz-api/responses.ts';
import type { TakenEvent } from '../storage/storage.ts';
import { syntheticEventId, responseSubmitted, subjectOf, type SyntheticKind } from './event.ts';

/**
 * The event that a webhook would have been, of a submitted response. Of the person it holds what is announced, the
 * name, and nothing else.
 * @param now milliseconds since the epoch
 */
export function syntheticEvent(kind: SyntheticKind, response: QuizResponse, now: number): TakenEvent {
  const id = syntheticEventId(kind, response);
  const { response_id, quiz_id, quiz_name, first_name, last_name, date_submitted, status } = response;
  const { points, available_points, percentage_score, grade, pass, duration, attempt } = response;
  const data = {
    response_id,
    quiz_id,
    quiz_name,
    first_name,
    last_name,
    date_submitted: date_submitted && asWritten(date_submitted),
    points,
    available_points,
    percentage_score,
    grade,
    pass,
    duration,
    attempt,
    status,
  };
  const body = JSON.stringify({ event_id: id, event_type: responseSubmitted, delivery_attempt: 1, event_date: asWritten(new Date(now)), data });
  return { id, type: responseSubmitted, subject: subjectOf(response), body, trusted: true, takenAt: now };
}

/** As the service writes a moment: `2018-11-02 00:05:47`, in UTC. */
function asWritten(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
