import type { Log } from '../observability/log.ts';
import { BadRequestError, InvalidResponseError, NotFoundError } from '../quiz-api/errors.ts';
import type { Responses, QuizResponse } from '../quiz-api/responses.ts';
import type { EventContent, Inbox, Queues, WaitingEvent } from '../storage/storage.ts';
import { syntheticEvent, syntheticEventId } from './event.ts';
import type { Matcher } from './match-subscriptions.ts';
import type { TakeEvent } from './take-event.ts';

/** Submissions settled in one step. */
const batchSize = 500;
/** Between two runs: webhooks that are being taken come first. */
const pauseMs = 50;

type Waiting<Kind extends EventContent['kind']> = WaitingEvent & { content: Extract<EventContent, { kind: Kind }> };

/**
 * Settles the events that wait in the inbox: submissions that came before the workspace was known, and hints, of which the
 * service has to be asked.
 *
 * @returns settles a batch of submissions or a hint, and returns when to run again (milliseconds since the epoch); undefined when nothing is left
 */
export function createFanOut(deps: {
  inbox: Pick<Inbox, 'waiting' | 'settle' | 'knownIds'>;
  matcher: Matcher;
  takeEvent: TakeEvent;
  wake: Queues['wake'];
  responses: Pick<Responses, 'get'>;
  log: Log;
  now: () => number;
}): () => Promise<number | undefined> {
  const { inbox, matcher, log, now } = deps;

  return async () => {
    const waiting = await inbox.waiting(batchSize);
    const submissions = waiting.filter(isOf('submission'));
    const hint = waiting.find(isOf('hint'));
    if (submissions.length > 0) await settleSubmissions(submissions);
    else if (hint) await settleHint(hint);
    else return undefined;
    return now() + pauseMs;
  };

  async function settleSubmissions(events: readonly Waiting<'submission'>[]): Promise<void> {
    await matcher.load();
    const settled = events.flatMap(({ position, content: { submission } }) => {
      const match = matcher.match(submission);
      return match ? [{ position, entries: match.entries, match }] : [];
    });
    // False where the subscriptions have changed meanwhile: the next run matches again.
    if (!(await inbox.settle(settled, settled[0]?.match))) return;
    const queues = new Set(settled.flatMap(({ entries }) => entries.map(({ queue }) => queue)));
    for (const queue of queues) await deps.wake(queue);
  }

  async function settleHint({ id, position, content: { quizId, responseId } }: Waiting<'hint'>): Promise<void> {
    const announced = await inbox.knownIds([syntheticEventId('confirmed', quizId, responseId), syntheticEventId('backfilled', quizId, responseId)]);
    const response = announced.size === 0 ? await confirm(id, quizId, responseId) : undefined;
    // The event has an id of its own, so that a response is announced once, however many hints come.
    if (response) await deps.takeEvent(syntheticEvent('confirmed', response, now()));
    await inbox.settle([{ position, entries: [] }]);
  }

  /** @returns the response as the service knows it; undefined where there is nothing to announce */
  async function confirm(eventId: string, quizId: string, responseId: string): Promise<QuizResponse | undefined> {
    try {
      const response = await deps.responses.get(quizId, responseId, { priority: 'background' });
      return response.status === 'submitted' ? response : undefined;
    } catch (error) {
      if (!isFinal(error)) throw error;
      log.warn({ error, event: eventId }, 'a webhook reported a response that the quiz service does not confirm');
      return undefined;
    }
  }
}

/** The same request would get the same answer, and the hints behind this one would wait for ever. */
function isFinal(error: unknown): boolean {
  return (error instanceof NotFoundError && error.isFromService) || error instanceof BadRequestError || error instanceof InvalidResponseError;
}

function isOf<Kind extends EventContent['kind']>(kind: Kind) {
  return (event: WaitingEvent): event is Waiting<Kind> => event.content.kind === kind;
}
