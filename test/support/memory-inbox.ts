import type { NewQueueEntry } from '../../src/domain/queue-entry.ts';
import type { Inbox, NewEvent, SubscriptionsVersion, WaitingEvent, Outbox } from '../../src/storage/storage.ts';
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
  let waiting: WaitingEvent[] = [];
  let lastPosition = 0;
  const isOutdated = (matched: SubscriptionsVersion) => versionOf(matched.teamId) !== matched.version;
  const inLine = () => [
    ...waiting.filter(({ content }) => content.kind === 'submission'),
    ...waiting.filter(({ content }) => content.kind === 'hint'),
  ];
  const isPostponed = ({ failures }: WaitingEvent) => failures !== undefined;

  return {
    events,
    async take(event, match) {
      const { id, subject, isBackfilled, takenAt, content } = event;
      const isBehind =
        content?.kind === 'submission' &&
        waiting.some((other) => other.content.kind === 'submission' && !isPostponed(other));
      const isHeld = content !== undefined && (content.kind === 'hint' || match === undefined || isBehind);
      if (match !== undefined && !isHeld && isOutdated(match)) return 'outdated';
      const about = events.filter((other) => subject !== '' && other.subject === subject);
      if (events.some((other) => other.id === id) || (isBackfilled && about.length > 0)) return 'known';
      events.push(structuredClone(event));
      if (about.some((other) => other.isBackfilled)) return 'taken';
      if (isHeld) {
        lastPosition += 1;
        waiting.push(structuredClone({ position: lastPosition, id, takenAt, content }));
        return 'held';
      }
      put(match?.entries ?? []);
      return 'taken';
    },
    async waiting(limit, now) {
      const due = waiting
        .filter((event) => (event.failures?.dueAt ?? Infinity) <= now)
        .toSorted((one, other) => one.failures!.dueAt - other.failures!.dueAt);
      return structuredClone([...inLine().filter((event) => !isPostponed(event)), ...due].slice(0, limit));
    },
    async countWaiting() {
      const first = (['submission', 'hint'] as const).flatMap(
        (kind) => waiting.find((event) => event.content.kind === kind && !isPostponed(event))?.takenAt ?? [],
      );
      const postponed = waiting.filter(isPostponed).length;
      return {
        postponed,
        count: waiting.length - postponed,
        oldestAt: first.length === 0 ? undefined : Math.min(...first),
      };
    },
    async postpone({ position }, failures) {
      waiting = waiting.map((event) => (event.position === position ? { ...event, failures } : event));
    },
    async settle(settled, matched) {
      if (matched !== undefined && isOutdated(matched)) return false;
      for (const { position, entries } of settled) {
        if (!waiting.some((event) => event.position === position)) continue;
        waiting = waiting.filter((event) => event.position !== position);
        put(entries);
      }
      return true;
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
      const isKept = ({ id, takenAt }: NewEvent) => takenAt >= time || waiting.some((event) => event.id === id);
      events.splice(0, events.length, ...events.filter(isKept));
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
