import type { Inbox, Outbox } from '../../src/storage/storage.ts';
import { createMemoryOutbox } from './memory-outbox.ts';

/** The part of a store that takes events and keeps what waits in queues. */
export type EventsAndQueues = Outbox & Pick<Inbox, 'remember'>;

/** As one would write it where nothing is ever lost and nobody else is there: what a real store is compared with. */
export function createPlainOutbox(): EventsAndQueues {
  const taken = new Set<string>();
  const waitingEvents = new Set<string>();
  return {
    ...createMemoryOutbox((eventId) => waitingEvents.delete(eventId)),
    async remember({ id }) {
      if (taken.has(id)) return false;
      taken.add(id);
      waitingEvents.add(id);
      return true;
    },
  };
}
