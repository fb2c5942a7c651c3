import { z } from 'zod';
import { responseSchema } from '../quiz-api/responses.ts';

/** The type of event that becomes an alert; others are taken, counted and left. */
export const responseSubmitted = 'response.submitted';

const envelope = z.object({
  event_id: z.string().trim().min(1).max(200),
  event_type: z.string().max(200),
  data: z.unknown(),
});

/** What the service told in a webhook. `data` of a submission is a Response less its access code. */
export type QuizEvent = z.infer<typeof envelope>;

/** The body was no event; the message says what is wrong with it. */
export class MalformedEventError extends Error {
  override name = 'MalformedEventError';
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
  if (event.data.event_type === responseSubmitted) parseSubmission(event.data);
  return event.data;
}

/** The submitted response in an event of that type. */
export function parseSubmission(event: QuizEvent) {
  const response = responseSchema.safeParse(event.data);
  if (!response.success) throw new MalformedEventError(`data is no response: ${z.prettifyError(response.error)}`);
  return response.data;
}
