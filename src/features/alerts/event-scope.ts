import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { NewEvent } from '../../storage/storage.ts';
import { withTimeout } from '../../time/clock.ts';
import type { TakeEvent } from './take-event.ts';
import { createWebhookReader } from './webhook-body.ts';

/** Whether a response belongs to a bot that is for some groups of the account. Rejects where that cannot be told. */
export type IsOfBot = (response: QuizResponse, call: CallOptions) => Promise<boolean>;

/** The service waits for its answer. */
const decidedWithinMs = 2_000;

/**
 * Decides whether an event that reports a submission is for the bot. Where that cannot be told in time, it becomes a hint, of
 * which nothing but the IDs is kept, and the service is asked later.
 *
 * @param deps.isOfBot undefined for a bot that is for the whole account
 * @returns resolves to the event as it is to be taken; undefined for one of others
 */
export function createEventScope(deps: {
  isOfBot?: IsOfBot | undefined;
  timeZone: string;
  now: () => number;
}): (event: NewEvent, body: string) => Promise<NewEvent | undefined> {
  const { isOfBot, now } = deps;
  if (isOfBot === undefined) return async (event) => event;
  const read = createWebhookReader(deps.timeZone);

  return async (event, body) => {
    if (event.content?.kind !== 'submission') return event;
    const response = read(body).reported?.response;
    if (response === undefined) return undefined;
    try {
      const call = { priority: 'background', deadline: now() + decidedWithinMs } as const;
      return (await withTimeout(decidedWithinMs, isOfBot(response, call))) ? event : undefined;
    } catch {
      const { result: _, ...known } = event;
      const content = { kind: 'hint', quizId: response.quiz_id, responseId: response.response_id } as const;
      return { ...known, subject: '', content };
    }
  };
}

/** Makes what takes the events that are for a bot. */
export function createTakeReported({
  takeEvent,
  ...scope
}: { takeEvent: TakeEvent } & Parameters<typeof createEventScope>[0]): (
  event: NewEvent,
  body: string,
) => Promise<Awaited<ReturnType<TakeEvent>> | 'other_groups'> {
  const forBot = createEventScope(scope);
  return async (reported, body) => {
    const event = await forBot(reported, body);
    return event === undefined ? 'other_groups' : takeEvent(event);
  };
}
