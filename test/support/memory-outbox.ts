import { readQueue, type QueueEntry, type NewQueueEntry, type NewEvent } from '../../src/domain/queues.ts';
import type { Outbox, QueueState, Inbox } from '../../src/storage/storage.ts';
import { createMail, type Mail } from '../../src/durable/mail.ts';
import { recordingLog } from './log.ts';
import type { Subscriptions } from '../../src/storage/records.ts';
import type { Subscription } from '../../src/domain/subscription.ts';

interface KeptQueue {
  version: number;
  /** As JSON: what a store does not keep must not be there in a test either. */
  state: string | undefined;
  parts: Map<number, string>;
  isBusy: boolean;
  changedAt: number;
  entries: QueueEntry[];
}

/** An outbox that lasts as long as a test. `putNow` is `put` without a promise. */
export function createMemoryOutbox(
  now: () => number = Date.now,
): Outbox & { putNow(entries: readonly NewQueueEntry[]): void } {
  const queues = new Map<string, KeptQueue>();
  let lastPosition = 0;

  function queueOf(name: string): KeptQueue {
    const queue = queues.get(name) ?? {
      version: 0,
      state: undefined,
      parts: new Map(),
      isBusy: false,
      changedAt: 0,
      entries: [],
    };
    queues.set(name, queue);
    return queue;
  }

  function putNow(entries: readonly NewQueueEntry[]): void {
    for (const { queue, ...entry } of entries) {
      lastPosition += 1;
      queueOf(queue).entries.push({ position: lastPosition, ...copyOf(entry) });
    }
  }

  return {
    putNow,
    put: async (entries) => putNow(entries),
    async waiting(queue, { limit, exceptSubscriptions = [] }) {
      const wanted =
        queues.get(queue)?.entries.filter(({ subscriptionId }) => !exceptSubscriptions.includes(subscriptionId)) ?? [];
      return copyOf(wanted.slice(0, limit));
    },
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      const { version = 0, state } = queues.get(queue) ?? {};
      return { version, state: state === undefined ? undefined : (JSON.parse(state) as State) };
    },
    async stateWithParts(queue) {
      const { version = 0, state, parts = new Map<number, string>() } = queues.get(queue) ?? {};
      return {
        version,
        state: state === undefined ? undefined : (JSON.parse(state) as unknown),
        parts: new Map([...parts].map(([part, text]) => [part, JSON.parse(text) as unknown])),
      };
    },
    versionOf: async (queue) => queues.get(queue)?.version ?? 0,
    async commit(name, { version, state, parts, isBusy, remove = [], put: added = [], beside }) {
      const queue = queueOf(name);
      if (queue.version !== version) return false;
      if (beside && !(await this.commit(beside.queue, { ...beside, isBusy: false }))) return false;
      queue.version += 1;
      queue.state = JSON.stringify(state);
      for (const [part, content] of parts?.changed ?? []) queue.parts.set(part, JSON.stringify(content));
      for (const part of queue.parts.keys()) if (part >= (parts?.count ?? Infinity)) queue.parts.delete(part);
      queue.isBusy = isBusy;
      queue.changedAt = now();
      queue.entries = queue.entries.filter(({ position }) => !remove.includes(position));
      putNow(added);
      return true;
    },
    async queues() {
      return [...queues]
        .filter(([, { isBusy, entries }]) => isBusy || entries.length > 0)
        .map(([queue, { entries }]) => ({
          queue,
          waiting: entries.length,
          oldestAt: entries.length === 0 ? undefined : Math.min(...entries.map(({ at }) => at)),
        }));
    },
    async drop(subscriptionId, before) {
      let dropped = 0;
      for (const queue of queues.values()) {
        const left = queue.entries.filter((entry) => entry.subscriptionId !== subscriptionId || entry.at >= before);
        dropped += queue.entries.length - left.length;
        queue.entries = left;
      }
      return dropped;
    },
    async forgetStates(unchangedSince) {
      for (const [name, { isBusy, entries, changedAt }] of queues) {
        const time = unchangedSince[readQueue(name).kind];
        if (time !== undefined && changedAt < time && !isBusy && entries.length === 0) queues.delete(name);
      }
    },
  };
}

function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Mail into an outbox; a test runs the mailboxes by itself. @param onWake called with each that has mail */
export function createMemoryMail(outbox: Pick<Outbox, 'put'>, onWake: (queue: string) => void = () => {}): Mail {
  return createMail({ outbox, queues: { wake: async (queue) => onWake(queue) }, log: recordingLog().log });
}

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

/** Subscriptions that last as long as a test. */
export function createMemorySubscriptions(first: readonly Subscription[] = []): Subscriptions {
  let kept = [...first];
  const versions = new Map<string, number>();
  const grow = (teamId: string) => versions.set(teamId, (versions.get(teamId) ?? 0) + 1);
  return {
    async add(subscription) {
      if (kept.some(({ id, teamId }) => id === subscription.id && teamId === subscription.teamId)) return;
      kept = [...kept, structuredClone(subscription)];
      grow(subscription.teamId);
    },
    async all(teamId) {
      return structuredClone(kept.filter((one) => one.teamId === teamId));
    },
    async version(teamId) {
      return versions.get(teamId) ?? 0;
    },
    async setPause(teamId, id, pause) {
      const isThere = kept.some((one) => one.teamId === teamId && one.id === id);
      kept = kept.map((one) => (one.teamId === teamId && one.id === id ? { ...one, pause } : one));
      return isThere;
    },
    async remove(teamId, id) {
      const before = kept.length;
      kept = kept.filter((one) => one.teamId !== teamId || one.id !== id);
      if (kept.length < before) grow(teamId);
      return kept.length < before;
    },
  };
}
