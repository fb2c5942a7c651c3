import { randomBytes } from 'node:crypto';
import { keyQueue } from '../domain/queues.ts';
import type { Outbox, SealedTrail } from './storage.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AuditEntry, type ChainLink, emptyChain, type ChainHead, type MissingEnd } from '../domain/audit-chain.ts';
import {
  draftEntry,
  openEntry,
  ownerOf,
  ownersIn,
  sealEntry,
  wordsOf,
  type RecordedLink,
  type SealedEntry,
} from '../domain/sealed-entry.ts';
import type { Keyv } from 'keyv';

/** The key of an owner of texts on the record, as the state of a queue in which nothing waits. */
export type KeyState = { key: string } | { isErased: true };

function keyOf(state: KeyState | undefined): Buffer | undefined {
  return state && 'key' in state ? Buffer.from(state.key, 'base64') : undefined;
}

/** The keys under which texts on the record are sealed, one for each owner. */
export function createRecordKeys(outbox: Pick<Outbox, 'stateOf' | 'commit'>) {
  const keyIn = async (queue: string) => keyOf((await outbox.stateOf<KeyState>(queue)).state);

  async function madeKey(queue: string): Promise<Buffer | undefined> {
    const { version, state } = await outbox.stateOf<KeyState>(queue);
    if (version > 0) return keyOf(state);
    const made = { key: randomBytes(32).toString('base64') };
    // Where another instance makes it at the same time, the first one counts.
    return (await outbox.commit(queue, { version, state: made, isBusy: false })) ? keyOf(made) : keyIn(queue);
  }

  async function each(
    teamId: string,
    owners: Iterable<string>,
    key: (queue: string) => Promise<Buffer | undefined>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const keys = await Promise.all(
      [...new Set(owners)].map(async (owner) => [owner, await key(keyQueue(teamId, owner))] as const),
    );
    return new Map(keys.flatMap(([owner, one]) => (one === undefined ? [] : [[owner, one]])));
  }

  return {
    /** The keys of those who have one. */
    of: (teamId: string, owners: Iterable<string>) => each(teamId, owners, keyIn),
    /** The keys of owners, made where there are none. An owner who was erased gets none. */
    forSealing: (teamId: string, owners: Iterable<string>) => each(teamId, owners, madeKey),
    /** Destroys the key of an owner for good. @returns false where there was none any more */
    async destroy(teamId: string, owner: string): Promise<boolean> {
      const queue = keyQueue(teamId, owner);
      for (;;) {
        const { version, state } = await outbox.stateOf<KeyState>(queue);
        if (state && 'isErased' in state) return false;
        if (await outbox.commit(queue, { version, state: { isErased: true }, isBusy: false })) return version > 0;
      }
    },
  };
}

const pageSize = 500;

/** The links of a trail, page by page. Other work goes on in between. */
export async function* pagesOf(trail: Pick<SealedTrail, 'since'>, teamId: string) {
  for (let after = 0; ;) {
    const links = await trail.since(teamId, after, pageSize);
    if (links.length === 0) return;
    yield links;
    after = links.at(-1)?.position ?? after;
    await nextTurn();
  }
}

/** The audit trail, as everybody else reads and writes it. */
export type AuditTrail = ReturnType<typeof sealTrail>;

/** Seals what entries tell of people when they are appended, and opens it when they are read. */
export function sealTrail(trail: SealedTrail, keys: ReturnType<typeof createRecordKeys>, newId: () => string) {
  /** Entries come into the chain in their order, whichever gets its keys first. */
  let lastSealed: Promise<unknown> = Promise.resolve();

  async function opened(teamId: string, links: readonly ChainLink[]): Promise<RecordedLink[]> {
    const known = await keys.of(
      teamId,
      links.flatMap(({ text }) => ownersIn(text)),
    );
    return links.map((link) => ({ ...link, ...openEntry(link.text, known) }));
  }

  async function sealed(teamId: string, entry: AuditEntry): Promise<SealedEntry> {
    const draft = draftEntry(entry, newId);
    const owners = draft.parts.map(({ owner }) => owner);
    return sealEntry(draft, await keys.forSealing(teamId, owners));
  }

  return {
    ...trail,
    append(teamId: string, entry: AuditEntry): Promise<ChainLink> {
      const own = sealed(teamId, entry);
      const turn = lastSealed.then(() => own);
      lastSealed = turn.catch(() => {});
      return turn.then((text) => trail.append(teamId, text));
    },
    latest: async (teamId: string, limit: number, before?: number) =>
      opened(teamId, await trail.latest(teamId, limit, before)),
    since: async (teamId: string, after: number, limit: number) =>
      opened(teamId, await trail.since(teamId, after, limit)),
    /**
     * Makes unreadable for good what entries say of a user: their names, and what was entered about them. What was entered about
     * several people goes with the last of them. Can be done again. The chain stays as it is.
     *
     * @param known by what else they are known: `request:` and its ID, for a request about them alone, and the IDs with which sentences name them
     * @returns how many keys were destroyed
     */
    async erase(teamId: string, userId: string, known: readonly string[] = []): Promise<number> {
      /** Requests for what was done to them: before, nobody knew the ID of a user who was to be created. */
      const requests = new Set(known.flatMap((id) => (id.startsWith('request:') ? [id.slice('request:'.length)] : [])));
      for await (const links of pagesOf(trail, teamId))
        for (const { users, request } of links.map(({ text }) => wordsOf(text)))
          if (request !== undefined && users.length === 1 && users[0] === userId) requests.add(request);
      const toErase = new Set([ownerOf(userId), ...(await keys.of(teamId, known.map(ownerOf))).keys()]);
      for await (const links of pagesOf(trail, teamId))
        for (const { users, request, words, mixed } of links.map(({ text }) => wordsOf(text))) {
          const isAsked = users.length === 0 && request !== undefined && requests.has(request);
          if (!isAsked && !users.includes(userId)) continue;
          const others = await keys.of(teamId, users.filter((user) => user !== userId).map(ownerOf));
          for (const owner of [...mixed, ...(others.size === 0 ? words : [])]) toErase.add(owner);
        }
      let destroyed = 0;
      for (const owner of toErase) if (await keys.destroy(teamId, owner)) destroyed += 1;
      return destroyed;
    },
  };
}

interface Anchored<Entry> extends Pick<SealedTrail, 'head' | 'since'> {
  append(teamId: string, entry: Entry): Promise<ChainLink>;
}

/** Where a store keeps its anchors. */
export const anchorNamespace = 'audit-anchors';

/**
 * Has an audit trail notice when its end is missing. A trail whose end was cut off, with its head set back, verifies: nothing in it
 * names the entries after it. So the last known entry is kept as an anchor: outside the store since the last append or look,
 * and in the store since the last look. An anchor that does not hold is never replaced, except in the store by a later anchor.
 *
 * @param known the anchors outside the store, by workspace
 */
export function anchorTrail<Entry, Trail extends Anchored<Entry>>(
  trail: Trail & Anchored<Entry>,
  anchors: Keyv<ChainHead>,
  known: Pick<Map<string, ChainHead>, 'get'> & { set(teamId: string, head: ChainHead): unknown } = new Map(),
) {
  const cut = new Set<string>();

  function raise(teamId: string, { position, hash }: ChainHead): void {
    if (!cut.has(teamId) && position > (known.get(teamId) ?? emptyChain).position)
      known.set(teamId, { position, hash });
  }

  return {
    ...trail,
    async append(teamId: string, entry: Entry): Promise<ChainLink> {
      const link = await trail.append(teamId, entry);
      // Positions only grow. An earlier one takes the place of a missing entry, so the anchor stays.
      if (link.position <= (known.get(teamId) ?? emptyChain).position) cut.add(teamId);
      raise(teamId, link);
      return link;
    },
    /** Undefined while the trail still has every entry that was known. */
    async missingEnd(teamId: string): Promise<MissingEnd | undefined> {
      const stored = (await anchors.get(teamId)) ?? emptyChain;
      const outside = known.get(teamId) ?? emptyChain;
      const { head, broken } = await compareAnchors(trail, teamId, [stored, outside]);
      if (broken) {
        cut.add(teamId);
        // A store that lost everything lost its anchor, too.
        if (broken.position > stored.position) await anchors.set(teamId, broken);
        return { knownPosition: broken.position, lastPosition: head.position };
      }
      if (head.position > stored.position) await anchors.set(teamId, head);
      raise(teamId, head);
      return undefined;
    },
  };
}

/**
 * Reads the head of the trail after the anchors, or an entry appended meanwhile would look like a missing one.
 * @returns with `broken`, the first anchor whose entry is not the one that was known
 */
export async function compareAnchors(
  trail: Pick<SealedTrail, 'head' | 'since'>,
  teamId: string,
  anchors: readonly ChainHead[],
): Promise<{ head: ChainHead; broken: ChainHead | undefined }> {
  const head = await trail.head(teamId);
  for (const anchor of anchors.toSorted((a, b) => a.position - b.position))
    if (!(await holds(trail, teamId, anchor, head))) return { head, broken: anchor };
  return { head, broken: undefined };
}

/** Whether the entry at the anchor's position is still the one that was known. */
async function holds(
  trail: Pick<SealedTrail, 'since'>,
  teamId: string,
  { position, hash }: ChainHead,
  head: ChainHead,
): Promise<boolean> {
  if (position === 0) return true;
  if (head.position < position) return false;
  if (head.position === position && head.hash === hash) return true;
  const [link] = await trail.since(teamId, position - 1, 1);
  return link?.position === position && link.hash === hash;
}
