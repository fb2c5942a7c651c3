import { z } from 'zod';
import { InvigilatorError } from '../domain/errors.ts';
import type { Submission } from '../domain/queue-entry.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { shortRespondentName } from '../domain/short-name.ts';
import { responseSchema, type QuizResponse } from '../quiz-api/responses.ts';
import type { EventContent, NewEvent } from '../storage/storage.ts';

/** The type of event that is announced. The others are taken, counted and left. */
export const responseSubmitted = 'response.submitted';

const envelope = z.compile(z.object({
  event_id: z.string().trim().min(1).max(200),
  event_type: z.string().max(200),
  data: z.unknown(),
}));

/** The body is not an event; the message says what is wrong with it. */
export class MalformedEventError extends InvigilatorError {
  readonly code = 'malformed_event';
}

/**
 * Reads a webhook's body. What the signature does not cover is a hint: it names a response, and does not make it known, since
 * the service may not know the response and the backfill would pass over it.
 *
 * @param takenAt milliseconds since the epoch
 * @throws {MalformedEventError}
 */
export function parseEvent(body: string, isTrusted: boolean, takenAt: number): NewEvent {
  const { event_id: id, event_type: type, data } = readEnvelope(body);
  if (isSyntheticId(id)) throw new MalformedEventError('the event_id has a prefix that only the bot uses');
  const response = type === responseSubmitted ? parseResponse(data) : undefined;
  const content = response && contentOf(response, isTrusted);
  return { id, subject: response && content?.kind === 'submission' ? subjectOf(response) : '', isBackfilled: false, takenAt, content };
}

function readEnvelope(body: string): z.output<typeof envelope> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new MalformedEventError('the body is not JSON');
  }
  const event = envelope.safeParse(json);
  if (!event.success) throw new MalformedEventError(`the body is no event: ${z.prettifyError(event.error)}`);
  return event.data;
}

function parseResponse(data: unknown): QuizResponse {
  const response = responseSchema.safeParse(data);
  if (!response.success) throw new MalformedEventError(`data is no response: ${z.prettifyError(response.error)}`);
  return response.data;
}

function contentOf(response: QuizResponse, isTrusted: boolean): EventContent | undefined {
  if (!isTrusted) return { kind: 'hint', quizId: response.quiz_id, responseId: response.response_id };
  return response.status === 'submitted' ? { kind: 'submission', submission: submissionOf(response, false) } : undefined;
}

/** The response that an event reports: the same text in every event about it. */
export function subjectOf(response: Pick<QuizResponse, 'quiz_id' | 'response_id'>): string {
  return `${response.quiz_id}/${response.response_id}`;
}

/** Why the bot makes an event itself: no webhook came for a response, or only a hint, which the service has confirmed. */
export type SyntheticKind = 'backfilled' | 'confirmed';

/** The event that a webhook of a submitted response would have been. Its id is the same for each response and kind. */
export function syntheticEvent(kind: SyntheticKind, response: QuizResponse, takenAt: number): NewEvent {
  const isBackfilled = kind === 'backfilled';
  return {
    id: syntheticEventId(kind, response.quiz_id, response.response_id),
    subject: subjectOf(response),
    isBackfilled,
    takenAt,
    content: { kind: 'submission', submission: submissionOf(response, isBackfilled) },
  };
}

export function syntheticEventId(kind: SyntheticKind, quizId: string, responseId: string): string {
  return `${kind}:${quizId}:${responseId}`;
}

function isSyntheticId(id: string): boolean {
  return id.startsWith('backfilled:') || id.startsWith('confirmed:');
}

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
    outcome: outcomeOf({ points: response.points, availablePoints: response.available_points, grade: response.grade, passed: response.pass }),
    attempt: response.attempt,
    durationSeconds: response.duration,
    submittedAt: response.date_submitted?.getTime() ?? null,
    isBackfilled,
  };
}
