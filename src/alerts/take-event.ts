import type { Inbox, NewEvent } from '../storage/storage.ts';
import type { Matcher } from './match-subscriptions.ts';
import { inboxQueue } from './queue-names.ts';

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
}): TakeEvent {
  const { inbox, matcher, wake } = deps;

  return async (event) => {
    for (;;) {
      const match = event.content?.kind === 'submission' ? matcher.match(event.content.submission) : undefined;
      const result = await inbox.take(event, match);
      if (result === 'known') return 'known';
      if (result === 'held') wake(inboxQueue);
      else if (result === 'taken') for (const { queue } of match?.entries ?? []) wake(queue);
      else {
        await matcher.load();
        continue;
      }
      return 'taken';
    }
  };
}
