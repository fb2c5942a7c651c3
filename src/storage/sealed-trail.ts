import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry, ChainLink } from '../domain/audit-chain.ts';
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
import type { RecordKeys } from './record-keys.ts';
import type { AuditTrail, SealedTrail } from './storage.ts';

const pageSize = 500;

/** Seals what entries tell of people when they are appended, and opens it when they are read. */
export function sealTrail(trail: SealedTrail, keys: RecordKeys, newId: () => string): AuditTrail {
  /** Entries come into the chain in their order, whichever gets its keys first. */
  let lastSealed: Promise<unknown> = Promise.resolve();

  async function opened(teamId: string, links: readonly ChainLink[]): Promise<RecordedLink[]> {
    const known = await keys.of(
      teamId,
      links.flatMap(({ text }) => ownersIn(text)),
    );
    return links.map((link) => ({ ...link, ...openEntry(link.text, known) }));
  }

  async function* pages(teamId: string): AsyncGenerator<readonly ChainLink[]> {
    for (let after = 0; ;) {
      const links = await trail.since(teamId, after, pageSize);
      if (links.length === 0) return;
      yield links;
      after = links.at(-1)?.position ?? after;
      await nextTurn();
    }
  }

  async function sealed(teamId: string, entry: AuditEntry): Promise<SealedEntry> {
    const draft = draftEntry(entry, newId);
    const owners = draft.parts.map(({ owner }) => owner);
    return sealEntry(draft, await keys.forSealing(teamId, owners));
  }

  return {
    ...trail,
    append(teamId, entry) {
      const own = sealed(teamId, entry);
      const turn = lastSealed.then(() => own);
      lastSealed = turn.catch(() => {});
      return turn.then((text) => trail.append(teamId, text));
    },
    latest: async (teamId, limit, before) => opened(teamId, await trail.latest(teamId, limit, before)),
    since: async (teamId, after, limit) => opened(teamId, await trail.since(teamId, after, limit)),
    async erase(teamId, userId, known = []) {
      /** Requests for what was done to them: before, nobody knew the ID of a user who was to be created. */
      const requests = new Set(known.flatMap((id) => (id.startsWith('request:') ? [id.slice('request:'.length)] : [])));
      for await (const links of pages(teamId))
        for (const { users, request } of links.map(({ text }) => wordsOf(text)))
          if (request !== undefined && users.length === 1 && users[0] === userId) requests.add(request);
      const toErase = new Set([ownerOf(userId), ...(await keys.of(teamId, known.map(ownerOf))).keys()]);
      for await (const links of pages(teamId))
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
