import { eventBody } from '../support/event.ts';
import { idBehind } from './cohort.ts';
import type { Payload } from './payloads.ts';
import { surroundingsOf, type Where } from './surroundings.ts';
import type { Step } from './steps.ts';

/** What the service sends of an attempt that the account has, as if it had just been submitted. */
export function attemptPayload(
  step: Extract<Step, { do: 'webhook' }>,
  where: Pick<Where, 'cohort' | 'state' | 'slackUrl' | 'other' | 'number' | 'now'>,
): Payload {
  const { cohort, state } = surroundingsOf('response', step, where);
  const { id, quiz } = cohort.responses[step.response] ?? { id: step.response, quiz: 'a' };
  const quizId = idBehind(cohort.quizzes, quiz);
  const user = state.users.get(cohort.users[step.response] ?? '');
  const at = new Date(where.now).toISOString().replace('T', ' ').slice(0, 19);
  const body = eventBody(
    { event_id: `e-${where.number}`, event_date: at },
    {
      response_id: id,
      quiz_id: quizId,
      quiz_name: state.quizzes.get(quizId)?.name ?? quizId,
      user_id: user?.user_id ?? null,
      user_name: user?.user_name ?? null,
      first_name: user?.first_name ?? '',
      last_name: user?.last_name ?? '',
      email_address: user?.email_address ?? '',
      date_submitted: at,
    },
  );
  return { kind: 'webhook', body: JSON.parse(body) as Record<string, unknown> };
}
