import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Keyv } from 'keyv';
import type { ApprovalRequest, StoredRequest } from '../domain/approval-request.ts';
import {
  countersQueue,
  inboxQueue,
  readQueue,
  requestQueue,
  requestsQueue,
  subscriptionsQueue,
} from '../domain/queues.ts';
import type { Pause, Subscription } from '../domain/subscription.ts';
import type { SetTimer } from '../time/clock.ts';
import { anchorNamespace, anchorTrail, createRecordKeys, sealTrail } from './audit.ts';
import type { KeyedNamespace } from './keyed-values.ts';
import type { Cleansing, Inbox, Outbox, QueueChange, Queues, SealedTrail } from './storage.ts';
import { createLeases, type LeaseStore } from './leases.ts';
import type { ContentWatch } from './passport.ts';

/** What SQLite and Redis each offer in their own way. */
interface Store {
  /** Keyed values with an optional time to live. Throws when the store fails: a lost store must not look like an empty one. */
  kv<Value>(namespace: KeyedNamespace): Keyv<Value>;
  inbox: Inbox;
  outbox: Outbox;
  queues: Queues;
  trail: SealedTrail;
  leaseStore: LeaseStore;
  cleansing: Cleansing;
  /** Whether the store has the content that the bot knew. */
  content: Pick<ContentWatch, 'loss' | 'onLoss' | 'heads'>;
  /** Resolves when the store can be used, or is away. Rejects when a person has to act before the bot can use it. */
  open(): Promise<void>;
  /** Rejects when the store cannot be read or written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type Storage = ReturnType<typeof withRecords>;

/** Adds to a store what is kept in every store in one way. */
export function withRecords({ trail, leaseStore, ...store }: Store, setTimer?: SetTimer) {
  const { outbox, kv, content } = store;
  const sealed = sealTrail(trail, createRecordKeys(outbox), randomUUID);
  return {
    ...store,
    subscriptions: createSubscriptions(outbox),
    counters: createCounters(outbox),
    approvals: createApprovals(outbox),
    audit: anchorTrail(sealed, kv(anchorNamespace), content.heads),
    leases: createLeases(leaseStore, setTimer),
  };
}

/*
 * What is kept by ID, for every store in one way: as states in which nothing waits. Each change begins from the version that was
 * read, and is made again from the newer one where another was made meanwhile.
 */

/** Of what has no room in a full store. */
const atRest = { isBusy: false, isRefusedWhenFull: true } as const;

/**
 * Changes a state from what it is then.
 *
 * @param change gives undefined to leave it as it is
 */
export async function changeState<State>(
  outbox: Pick<Outbox, 'stateOf' | 'commit'>,
  queue: string,
  change: (state: State | undefined) => (Omit<QueueChange, 'version'> & { state: State }) | undefined,
): Promise<void> {
  for (;;) {
    const { version, state } = await outbox.stateOf<State>(queue);
    const changed = change(state);
    if (changed === undefined || (await outbox.commit(queue, { ...changed, version }))) return;
  }
}

/** What the inbox knows of the events that wait in it, by their IDs: those of which a try has failed, or found nothing submitted. */
export interface InboxState {
  tries: Readonly<Record<string, Tries>>;
}

/** The tries of an event. Times are milliseconds since the epoch. */
export interface Tries {
  /** How many failed. */
  count: number;
  since: number;
  /** How often the service has answered that the response is not submitted. */
  looks?: number | undefined;
  /** No try before this time. */
  dueAt: number;
}

/** Read of the inbox at most. */
export const waitingAtMost = 5_000;

/** The events that wait in the inbox, and those that were not tried yet. `oldestAt`: when the first of these was taken. */
export async function readInbox(outbox: Pick<Outbox, 'waiting' | 'stateOf'>) {
  const mail = await outbox.waiting(inboxQueue, { limit: waitingAtMost });
  const events = mail.flatMap(({ content }) => (content.kind === 'inbox-event' ? [content.event] : []));
  const tries = mail.length === 0 ? {} : ((await outbox.stateOf<InboxState>(inboxQueue)).state?.tries ?? {});
  const untried = events.filter(({ id }) => tries[id] === undefined);
  return {
    events,
    untried,
    count: untried.length,
    postponed: events.length - untried.length,
    oldestAt: untried.length === 0 ? undefined : Math.min(...untried.map(({ takenAt }) => takenAt)),
  };
}

/** When what waits longest to be posted came; infinite where nothing waits. */
export async function oldestWaiting(outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'queues'>): Promise<number> {
  const [events, queues] = await Promise.all([readInbox(outbox), outbox.queues()]);
  const channels = queues.filter(({ queue }) => readQueue(queue).kind === 'channel');
  return Math.min(events.oldestAt ?? Infinity, ...channels.map(({ oldestAt }) => oldestAt ?? Infinity));
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** The subscriptions of every workspace, each a part of its state: one that cannot be read is set aside alone. */
function createSubscriptions(outbox: Outbox) {
  async function change(
    teamId: string,
    edit: (known: readonly Subscription[]) => readonly Subscription[],
    isRefusedWhenFull = false,
  ): Promise<boolean> {
    const queue = subscriptionsQueue(teamId);
    for (;;) {
      const { version, parts } = await outbox.stateWithParts(queue);
      const known = inOrder(parts);
      const edited = edit(known);
      if (edited === known) return false;
      const changed = new Map([...edited.entries()].filter(([place, one]) => parts.get(place) !== one));
      const kept = { version, state: {}, parts: { count: edited.length, changed }, isBusy: false, isRefusedWhenFull };
      if (await outbox.commit(queue, kept)) return true;
    }
  }

  return {
    /** In the order they were made. */
    async all(teamId: string) {
      return inOrder((await outbox.stateWithParts(subscriptionsQueue(teamId))).parts);
    },
    /** Grows with each change. */
    version: (teamId: string) => outbox.versionOf(subscriptionsQueue(teamId)),
    /** Does nothing where the id exists: instances that start together may add the same. */
    async add(added: Subscription): Promise<void> {
      const edit = (known: readonly Subscription[]) =>
        known.some(({ id }) => id === added.id)
          ? known
          : [...known, added].toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
      await change(added.teamId, edit, added.ownerId !== null);
    },
    /** Replaces the pause, and nothing else. False where the subscription is not there any more. */
    setPause: (teamId: string, id: string, pause: Pause | null) =>
      change(teamId, (known) =>
        known.some((one) => one.id === id) ? known.map((one) => (one.id === id ? { ...one, pause } : one)) : known,
      ),
    /** False where it is not there any more. */
    remove: (teamId: string, id: string) =>
      change(teamId, (known) => (known.some((one) => one.id === id) ? known.filter((one) => one.id !== id) : known)),
  };
}

function inOrder(parts: ReadonlyMap<number, unknown>): Subscription[] {
  return [...parts].toSorted(([one], [other]) => one - other).map(([, part]) => part as Subscription);
}

export type Counters = ReturnType<typeof createCounters>;
type Counts = Readonly<Record<string, number>>;

/** Numbers that only grow, over all instances and restarts. */
function createCounters(outbox: Outbox) {
  const change = (name: string, edit: (counts: Counts) => Counts) =>
    changeState<Counts>(outbox, countersQueue(name), (counts = {}) => ({
      state: { ...counts, ...edit(counts) },
      ...atRest,
    }));

  return {
    add: (name: string, added: Counts) =>
      change(name, (counts) =>
        Object.fromEntries(Object.entries(added).map(([field, count]) => [field, (counts[field] ?? 0) + count])),
      ),
    /** Replaces a number where it is smaller. */
    raise: (name: string, field: string, value: number) =>
      change(name, (counts) => ({ [field]: Math.max(counts[field] ?? value, value) })),
    of: async (name: string) => (await outbox.stateOf<Record<string, number>>(countersQueue(name))).state ?? {},
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
type Pending = readonly Pick<ApprovalRequest, 'id' | 'createdAt'>[];

/**
 * Requests for approval of every workspace. Each is a state of its own; those that are not history yet are listed in another, which
 * changes in the same step.
 */
function createApprovals(outbox: Outbox) {
  const queueOf = ({ teamId, id }: Pick<ApprovalRequest, 'teamId' | 'id'>) => requestQueue(teamId, id);

  async function byId(teamId: string, id: string): Promise<StoredRequest | undefined> {
    const { version, state: request } = await outbox.stateOf<ApprovalRequest>(requestQueue(teamId, id));
    return request && { request, version };
  }

  async function pendingOf(teamId: string) {
    const { version, state: listed = [] } = await outbox.stateOf<Pending>(requestsQueue(teamId));
    const found = await Promise.all(listed.map(({ id }) => byId(teamId, id)));
    return { version, listed, pending: found.filter((one) => one !== undefined) };
  }

  /** False, and nothing is done, where the request or the list is another than was read. */
  async function commit(
    request: ApprovalRequest,
    version: number,
    list: { version: number; listed: Pending },
  ): Promise<boolean> {
    const { id, teamId, createdAt, state } = request;
    const others = list.listed.filter((one) => one.id !== id);
    const isListed = others.length < list.listed.length;
    const listed =
      state === 'announced'
        ? others
        : [...others, { id, createdAt }].toSorted((one, other) => one.createdAt - other.createdAt);
    const beside =
      isListed === (state !== 'announced')
        ? undefined
        : { queue: requestsQueue(teamId), version: list.version, state: listed };
    return outbox.commit(queueOf(request), { version, state: request, beside, ...atRest });
  }

  async function addUnless(
    request: ApprovalRequest,
    isSame: (other: ApprovalRequest) => boolean,
  ): Promise<StoredRequest | undefined> {
    for (;;) {
      const isTaken = (await outbox.versionOf(queueOf(request))) > 0;
      const list = await pendingOf(request.teamId);
      const open = list.pending.find((other) => isSame(other.request));
      if (open !== undefined) return open;
      if (isTaken) throw new Error(`the id ${request.id} is taken`);
      if (await commit(request, 0, list)) return undefined;
    }
  }

  return {
    byId,
    /** Its version is 1. */
    async add(request: ApprovalRequest): Promise<void> {
      await addUnless(request, () => false);
    },
    /**
     * Adds a request in one step with the check that its requester has no open one for the same operation and input: of any
     * number added at the same time, on any instance, one is added.
     *
     * @returns the open request, if there was one
     */
    addUnlessOpen: (request: ApprovalRequest) =>
      addUnless(
        request,
        ({ state, requesterId, operation, input }) =>
          state === 'open' &&
          requesterId === request.requesterId &&
          operation === request.operation &&
          isDeepStrictEqual(input, request.input),
      ),
    /**
     * Replaces a request if it is still the version that was read: of any number who try at the same time,
     * on any instance, one succeeds and the others get false. The next version is one higher.
     */
    async replace(request: ApprovalRequest, version: number): Promise<boolean> {
      for (;;) {
        const { version: listVersion, state: listed = [] } = await outbox.stateOf<Pending>(
          requestsQueue(request.teamId),
        );
        if (await commit(request, version, { version: listVersion, listed })) return true;
        if ((await outbox.versionOf(queueOf(request))) !== version) return false;
      }
    },
    /** Those that are not history yet, oldest first. */
    async pending(teamId: string) {
      return (await pendingOf(teamId)).pending.map(({ request }) => request);
    },
  };
}

/** What a request is found by. */
export type RequestId = Pick<ApprovalRequest, 'teamId' | 'id'>;

/** Reads a request. Requests are never deleted. @throws if there is no such request */
export async function readRequest(approvals: Approvals, { teamId, id }: RequestId): Promise<StoredRequest> {
  const stored = await approvals.byId(teamId, id);
  if (stored === undefined) throw new Error(`there is no request ${id}`);
  return stored;
}

/**
 * Changes a request, starting from a version that was read before. If a newer version was written meanwhile, that is
 * read and edited instead.
 *
 * @param edit gives the request to store, or undefined to leave it as it is
 * @returns the request as it is stored now, and whether it was changed
 */
export async function changeRequest(
  approvals: Approvals,
  known: StoredRequest,
  edit: (request: ApprovalRequest) => ApprovalRequest | undefined,
): Promise<{ stored: StoredRequest; isChanged: boolean }> {
  for (let stored = known; ; stored = await readRequest(approvals, stored.request)) {
    const changed = edit(stored.request);
    if (changed === undefined) return { stored, isChanged: false };
    if (await approvals.replace(changed, stored.version))
      return { stored: { request: changed, version: stored.version + 1 }, isChanged: true };
  }
}

/** Replaces a request only if it is still as it was read. @returns undefined where it is not */
export async function replaceRequest(
  approvals: Approvals,
  { version }: StoredRequest,
  request: ApprovalRequest,
): Promise<StoredRequest | undefined> {
  return (await approvals.replace(request, version)) ? { request, version: version + 1 } : undefined;
}
