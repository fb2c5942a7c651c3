import type { Submission } from '../../domain/queue-entry.ts';
import type { Inbox, NewEvent } from '../../storage/storage.ts';
import type { Matcher } from './match-subscriptions.ts';
import { isCorrection, readKnown } from '../../domain/known-submission.ts';
import { inboxQueue } from '../../domain/queue-names.ts';

export type TakeEvent = (event: NewEvent) => Promise<'taken' | 'known'>;

/**
 * Takes events: an event that is known has its entries in their queues, or waits in the inbox.
 *
 * Another event about a submission that is known has entries only where it says something else of it: these correct what was
 * announced.
 *
 * @param deps.wake called with the queues that have something to do now
 * @returns rejects where the event could not be kept
 */
export function createTakeEvent(deps: {
  inbox: Pick<Inbox, 'take'>;
  matcher: Matcher;
  wake: (queue: string) => void;
  /** Called with each submission that was not known before. */
  onSubmission?: ((submission: Submission) => void) | undefined;
}): TakeEvent {
  const { inbox, matcher, wake } = deps;

  return async (taken) => {
    for (let event = taken; ;) {
      const match = event.content?.kind === 'submission' ? await matcher.match(event.content) : undefined;
      const result = await inbox.take(event, match);
      if (typeof result === 'object') {
        event = comparedWith(taken, result.knownResult);
        continue;
      }
      if (result === 'known' || (event.content === undefined && taken.content !== undefined)) return 'known';
      if (result === 'held') wake(inboxQueue);
      else if (result === 'taken') for (const { queue } of match?.entries ?? []) wake(queue);
      else {
        await matcher.load();
        continue;
      }
      if (event.content?.kind === 'submission') deps.onSubmission?.(event.content.submission);
      return 'taken';
    }
  };
}

/** The event as it is taken after another one about the same submission. Without a change, it is only known from then on. */
function comparedWith(event: NewEvent, knownResult: string): NewEvent {
  const { content, result } = event;
  const before = readKnown(knownResult);
  if (content?.kind !== 'submission' || result === undefined || !isCorrection(before, readKnown(result)))
    return { ...event, content: undefined, result: knownResult, replaces: knownResult };
  const { submittedAt: _, reportedAt: __, ...corrects } = before;
  return { ...event, content: { ...content, submission: { ...content.submission, corrects } }, replaces: knownResult };
}
