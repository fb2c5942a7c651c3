import type { NewEvent, NewQueueEntry } from '../../src/domain/queues.ts';
import type { Inbox, Outbox } from '../../src/storage/storage.ts';
import { createMemoryOutbox } from './memory-outbox.ts';

/**
 * An inbox that lasts as long as a test. `events` are those that are known.
 *
 * @param options.put where entries go; unless given, nowhere
 * @param options.versionOf the version of a workspace's subscriptions
 */
export function createMemoryInbox(
  options: { put?: (entries: readonly NewQueueEntry[]) => void; versionOf?: (teamId: string) => number } = {},
): Inbox & { events: NewEvent[] } {
  const { put = () => {}, versionOf = () => 1 } = options;
  const events: NewEvent[] = [];

  return {
    events,
    async take(event, entries = [], matched) {
      const { id, subject, isBackfilled } = event;
      if (matched !== undefined && versionOf(matched.teamId) !== matched.version) return 'outdated';
      const about = events.filter((other) => subject !== '' && other.subject === subject);
      if (events.some((other) => other.id === id) || (isBackfilled && about.length > 0)) return 'known';
      events.push(structuredClone(event));
      if (!about.some((other) => other.isBackfilled)) put(entries);
      return 'taken';
    },
    async knownIds(ids) {
      return new Set(events.map(({ id }) => id).filter((id) => ids.includes(id)));
    },
    async knownSubjects(subjects) {
      return new Set(
        events.map(({ subject }) => subject).filter((subject) => subject !== '' && subjects.includes(subject)),
      );
    },
    async forgetBefore(time) {
      events.splice(0, events.length, ...events.filter(({ takenAt }) => takenAt >= time));
      return true;
    },
  };
}

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
