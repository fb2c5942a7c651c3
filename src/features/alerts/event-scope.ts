import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { NewEvent } from '../../storage/storage.ts';
import { withTimeout } from '../../time/clock.ts';

/** Whether a response belongs to a bot that is for some groups of the account. Rejects where that cannot be told. */
export type IsOfBot = (response: QuizResponse, call: CallOptions) => Promise<boolean>;

/** The service waits for its answer. */
const decidedWithinMs = 2_000;

/**
 * Decides whether an event is for the bot that reports this response. Where that cannot be told in time, it becomes a hint, of
 * which nothing but the IDs is kept, and the service is asked later.
 *
 * @param deps.isOfBot undefined for a bot that is for the whole account
 * @returns resolves to the event as it is to be taken; undefined for one of others
 */
export function createEventScope({
  isOfBot,
  now,
}: {
  isOfBot?: IsOfBot | undefined;
  now: () => number;
}): (event: NewEvent, response: QuizResponse | undefined) => Promise<NewEvent | undefined> {
  return async (event, response) => {
    if (isOfBot === undefined || event.content?.kind !== 'submission') return event;
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
