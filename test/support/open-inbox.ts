import { onTestFinished } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { Inbox, NewEvent } from '../../src/storage/storage.ts';
import { temporaryDirectory } from './temporary.ts';

/** The inbox of a store of its own, with the outbox beside it. `events` are those that it took. */
export function openInbox() {
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  const events: NewEvent[] = [];
  const inbox: Inbox = {
    ...storage.inbox,
    async take(event, match) {
      const result = await storage.inbox.take(event, match);
      if (result === 'taken' || result === 'held') events.push(event);
      return result;
    },
  };
  return { inbox, events, outbox: storage.outbox };
}
