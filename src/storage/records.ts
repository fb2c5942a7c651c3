import { isDeepStrictEqual } from 'node:util';
import type { ApprovalRequest, StoredRequest } from '../domain/approval-request.ts';
import { countersQueue, requestQueue, requestsQueue, subscriptionsQueue } from '../domain/queue-names.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { Approvals, Counters, Outbox, QueueChange, Subscriptions } from './storage.ts';

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

/** Subscriptions, each a part of the state of their workspace: one that cannot be read is set aside alone. */
export function createSubscriptions(outbox: Outbox): Subscriptions {
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
    async all(teamId) {
      return inOrder((await outbox.stateWithParts(subscriptionsQueue(teamId))).parts);
    },
    version: (teamId) => outbox.versionOf(subscriptionsQueue(teamId)),
    async add(added) {
      const edit = (known: readonly Subscription[]) =>
        known.some(({ id }) => id === added.id)
          ? known
          : [...known, added].toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
      await change(added.teamId, edit, added.ownerId !== null);
    },
    setPause: (teamId, id, pause) =>
      change(teamId, (known) =>
        known.some((one) => one.id === id) ? known.map((one) => (one.id === id ? { ...one, pause } : one)) : known,
      ),
    remove: (teamId, id) =>
      change(teamId, (known) => (known.some((one) => one.id === id) ? known.filter((one) => one.id !== id) : known)),
  };
}

function inOrder(parts: ReadonlyMap<number, unknown>): Subscription[] {
  return [...parts].toSorted(([one], [other]) => one - other).map(([, part]) => part as Subscription);
}

export function createCounters(outbox: Outbox): Counters {
  type Counts = Readonly<Record<string, number>>;
  const change = (name: string, edit: (counts: Counts) => Counts) =>
    changeState<Counts>(outbox, countersQueue(name), (counts = {}) => ({
      state: { ...counts, ...edit(counts) },
      ...atRest,
    }));

  return {
    add: (name, added) =>
      change(name, (counts) =>
        Object.fromEntries(Object.entries(added).map(([field, count]) => [field, (counts[field] ?? 0) + count])),
      ),
    raise: (name, field, value) => change(name, (counts) => ({ [field]: Math.max(counts[field] ?? value, value) })),
    of: async (name) => (await outbox.stateOf<Record<string, number>>(countersQueue(name))).state ?? {},
  };
}

/** A request is a state of its own; those that are not history yet are listed in another, which changes in the same step. */
export function createApprovals(outbox: Outbox): Approvals {
  type Pending = readonly Pick<ApprovalRequest, 'id' | 'createdAt'>[];
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
    async add(request) {
      await addUnless(request, () => false);
    },
    addUnlessOpen: (request) =>
      addUnless(
        request,
        ({ state, requesterId, operation, input }) =>
          state === 'open' &&
          requesterId === request.requesterId &&
          operation === request.operation &&
          isDeepStrictEqual(input, request.input),
      ),
    async replace(request, version) {
      for (;;) {
        const { version: listVersion, state: listed = [] } = await outbox.stateOf<Pending>(
          requestsQueue(request.teamId),
        );
        if (await commit(request, version, { version: listVersion, listed })) return true;
        if ((await outbox.versionOf(queueOf(request))) !== version) return false;
      }
    },
    async pending(teamId) {
      return (await pendingOf(teamId)).pending.map(({ request }) => request);
    },
  };
}
