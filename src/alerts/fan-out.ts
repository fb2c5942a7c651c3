import type { Log } from '../observability/log.ts';
import { BadRequestError, InvalidResponseError, NotFoundError } from '../quiz-api/errors.ts';
import type { Responses, QuizResponse } from '../quiz-api/responses.ts';
import type { NewQueueEntry } from '../domain/queue-entry.ts';
import type { Inbox, Queues, Outbox, TakenEvent } from '../storage/storage.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isBackfilledEvent, isSyntheticEvent, parseEvent, parseSubmission, responseSubmitted, subjectOf } from './event.ts';
import { syntheticEvent } from './synthetic-event.ts';
import { submissionOf } from './submission.ts';
import { matchSubscriptions } from './match-subscriptions.ts';

/** Events dealt with in one step. */
const batchSize = 500;
const breathMs = 50;

/** Deals with the events that were taken, oldest first: puts them into the queues of whoever wants to hear of them. */
export function createFanOut(deps: {
  inbox: Inbox;
  outbox: Outbox;
  wake: Queues['wake'];
  subscriptions: () => Promise<readonly Subscription[]>;
  responses: Pick<Responses, 'get'>;
  log: Log;
  now: () => number;
}): () => Promise<number | undefined> {
  const { inbox, outbox, log } = deps;

  /** One batch a run. @returns when there is more, after a breath: what is being taken comes first */
  return async () => {
    const waiting = await inbox.waiting(batchSize);
    if (waiting.length === 0) return undefined;
    const events = batchOf(waiting);
    const subscriptions = await deps.subscriptions();
    const firstOf = await inbox.firstOf(events.map(({ subject }) => subject).filter((subject) => subject !== ''));
    const distributions = [];
    for (const event of events) distributions.push({ eventId: event.id, entries: await entriesOf(event, subscriptions, firstOf) });
    await outbox.fanOut(distributions);
    const queues = new Set(distributions.flatMap(({ entries }) => entries.map(({ queue }) => queue)));
    for (const queue of queues) await deps.wake(queue);
    // What is confirmed waits behind the others.
    return waiting.length === batchSize || events.length < waiting.length || events.some(({ trusted }) => !trusted) ? deps.now() + breathMs : undefined;
  };

  async function entriesOf(event: TakenEvent, subscriptions: readonly Subscription[], firstOf: ReadonlyMap<string, string>): Promise<NewQueueEntry[]> {
    if (event.type !== responseSubmitted || isToldAlready(event, firstOf) || subscriptions.length === 0) return [];
    const told = parseSubmission(parseEvent(event.body));
    if (event.trusted && told.status === 'submitted') return matchSubscriptions(submissionOf(told, isBackfilledEvent(event.id)), subscriptions, deps.now());
    const [known] = (await inbox.firstOf([subjectOf(told)])).values();
    if (known !== undefined && isSyntheticEvent(known)) return [];
    const response = await askFor(event, told);
    // It has an id of its own, so that however many hints come, it is told once.
    if (response) await inbox.remember(syntheticEvent('confirmed', response, deps.now()));
    return [];
  }

  /** Where the signature does not cover the body, the event is a hint: the service is asked what is true. */
  async function askFor(event: TakenEvent, told: QuizResponse): Promise<QuizResponse | undefined> {
    try {
      const asked = await deps.responses.get(told.quiz_id, told.response_id, { priority: 'background' });
      return asked.status === 'submitted' ? asked : undefined;
    } catch (error) {
      if (!isFinal(error)) throw error;
      log.warn({ error, event: event.id }, 'a webhook told of a response that the quiz service does not confirm');
      return undefined;
    }
  }
}

/** Asking again would bring the same answer, and what came after would wait for ever. */
function isFinal(error: unknown): boolean {
  return (error instanceof NotFoundError && error.isFromService) || error instanceof BadRequestError || error instanceof InvalidResponseError;
}

/** What costs a request is dealt with by itself, so that nothing waits for the whole batch. */
function batchOf(events: TakenEvent[]): TakenEvent[] {
  const firstHint = events.findIndex(({ trusted }) => !trusted);
  return firstHint === -1 ? events : events.slice(0, Math.max(1, firstHint));
}

/** A response that was found when comparing, and its webhook that came after all: whichever came first counts. */
function isToldAlready(event: TakenEvent, firstOf: ReadonlyMap<string, string>): boolean {
  const first = firstOf.get(event.subject);
  return first !== undefined && first !== event.id && (isBackfilledEvent(first) || isBackfilledEvent(event.id));
}
