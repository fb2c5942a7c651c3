import type { Submission } from '../../domain/queue-entry.ts';
import type { Inbox, NewEvent } from '../../storage/storage.ts';
import type { Matcher } from './match-subscriptions.ts';
import { inboxQueue } from '../../domain/queue-names.ts';

export type TakeEvent = (event: NewEvent) => Promise<'taken' | 'known'>;

/**
 * Takes events: an event that is known has its entries in their queues, or waits in the inbox.
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

  return async (event) => {
    for (;;) {
      const match = event.content?.kind === 'submission' ? await matcher.match(event.content) : undefined;
      const result = await inbox.take(event, match);
      if (result === 'known') return 'known';
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
