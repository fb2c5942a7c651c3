import { eventBody } from './event.ts';

/** A last name that stands for a number, and turns up in no other text: it is found again in messages. */
export const nameOf = (number: number): string => `P${String(number).padStart(5, '0')}`;

export const numberOf = (name: string): number => Number(name.slice(1));

export const numberedNames = /\bP\d{5,}\b/g;

const firstSubmissionMs = Date.UTC(2026, 10, 20);

/** A webhook's body: the person with this number has submitted a quiz, a second after the one before. */
export function submissionOf(number: number, options: { quiz?: { id: string; name: string }; eventIdPrefix?: string; deliveryAttempt?: number } = {}): string {
  const { quiz = { id: 'q-1', name: 'Fire safety' }, eventIdPrefix = 'event', deliveryAttempt = 1 } = options;
  const submitted = new Date(firstSubmissionMs + number * 1000).toISOString().replace('T', ' ').slice(0, 19);
  const percentage = (number * 7) % 101;
  return eventBody(
    { event_id: `${eventIdPrefix}-${number}`, delivery_attempt: deliveryAttempt, event_date: submitted },
    {
      response_id: `${eventIdPrefix}-response-${number}`,
      quiz_id: quiz.id,
      quiz_name: quiz.name,
      last_name: nameOf(number),
      email_address: `person.${number}@quiz.example`,
      date_submitted: submitted,
      points: percentage / 10,
      percentage_score: percentage,
      pass: percentage >= 60,
      grade: percentage >= 60 ? 'B' : 'F',
    },
  );
}
