import type { Inbox, TakenEvent } from '../../src/storage/storage.ts';

/** An inbox that lasts as long as a test, in which every event waits. */
export function createMemoryInbox(): Pick<Inbox, 'remember' | 'firstOf'> & { events: TakenEvent[] } {
  const events: TakenEvent[] = [];
  return {
    events,
    async remember(event) {
      if (events.some(({ id }) => id === event.id)) return false;
      events.push(event);
      return true;
    },
    async firstOf(subjects) {
      return new Map(events.toReversed().filter(({ subject }) => subjects.includes(subject)).map(({ subject, id }) => [subject, id]));
    },
  };
}
