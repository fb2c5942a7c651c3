import type { Inbox, Outbox } from '../../src/storage/storage.ts';
import { createMemoryInbox } from './memory-inbox.ts';
import { createMemoryOutbox } from './memory-outbox.ts';

/** The part of a store that takes events and keeps what waits in queues. */
export interface EventsAndQueues {
  inbox: Inbox;
  outbox: Outbox;
}

/** The simplest implementation, where nothing is lost and nobody else is there: what a real store is compared with. */
export function createPlainOutbox(versionOf: (teamId: string) => number): EventsAndQueues {
  const outbox = createMemoryOutbox();
  return { outbox, inbox: createMemoryInbox({ put: outbox.putNow, versionOf }) };
}
