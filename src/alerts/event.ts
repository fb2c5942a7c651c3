import { z } from 'zod';
import { InvigilatorError } from '../domain/errors.ts';
import { responseSchema, type QuizResponse } from '../quiz-api/responses.ts';

/** The type of event that becomes an alert; others are taken, counted and left. */
export const responseSubmitted = 'response.submitted';

const envelope = z.object({
  event_id: z.string().trim().min(1).max(200),
  event_type: z.string().max(200),
  data: z.unknown(),
});

/** What the service told in a webhook. */
export interface QuizEvent {
  event_id: string;
  event_type: string;
  /** A Response less its access code, where the event is of that type. */
  submission: QuizResponse | undefined;
}

/** The body was no event; the message says what is wrong with it. */
export class MalformedEventError extends InvigilatorError {
  readonly code = 'malformed_event';
}

/**
 * Reads a webhook's body.
 * @throws {MalformedEventError}
 */
export function parseEvent(body: string): QuizEvent {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new MalformedEventError('the body is not JSON');
  }
  const event = envelope.safeParse(json);
  if (!event.success) throw new MalformedEventError(`the body is no event: ${z.prettifyError(event.error)}`);
  const { event_id, event_type, data } = event.data;
  return { event_id, event_type, submission: event_type === responseSubmitted ? parseResponse(data) : undefined };
}

function parseResponse(data: unknown): QuizResponse {
  const response = responseSchema.safeParse(data);
  if (!response.success) throw new MalformedEventError(`data is no response: ${z.prettifyError(response.error)}`);
  return response.data;
}

/**
 * The submitted response in an event of that type.
 * @throws {MalformedEventError} where it is of another type
 */
export function parseSubmission({ submission, event_type }: QuizEvent): QuizResponse {
  if (submission === undefined) throw new MalformedEventError(`an event of the type ${event_type} has no response`);
  return submission;
}

/** What an event of a response tells of: the same for each that tells of it. */
export function subjectOf(response: Pick<QuizResponse, 'quiz_id' | 'response_id'>): string {
  return `${response.quiz_id}/${response.response_id}`;
}

/**
 * Why the bot makes an event itself: no webhook came of the response, or one came that is only a hint, and the service
 * says that it is so.
 */
export type SyntheticKind = 'late' | 'confirmed';

/** The id of an event that the bot makes itself: one of a kind for each response. */
export function syntheticEventId(kind: SyntheticKind, response: Pick<QuizResponse, 'quiz_id' | 'response_id'>): string {
  return `${kind}:${response.quiz_id}:${response.response_id}`;
}

/** Whether the bot made the event itself; no webhook may have such an id. */
export function isSyntheticEvent(eventId: string): boolean {
  return isBackfilledEvent(eventId) || eventId.startsWith('confirmed:');
}

export function isBackfilledEvent(eventId: string): boolean {
  return eventId.startsWith('late:');
}
