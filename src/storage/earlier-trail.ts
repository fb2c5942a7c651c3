import { randomUUID } from 'node:crypto';
import { emptyChain, nextLink, parseAuditEntry, type ChainHead, type ChainLink } from '../domain/audit-chain.ts';
import { draftEntry, sealEntry } from '../domain/sealed-entry.ts';

/** Seals the trail of a workspace that versions up to 1.6 wrote, link by link from its beginning. */
export interface EarlierTrail {
  /** The owners of what the link will have sealed. They get their keys before `seal`. */
  draft(link: ChainLink): { owners: readonly string[]; seal(keys: ReadonlyMap<string, Buffer>): ChainLink };
  /** The new head, and the link that says what was done, where the trail was whole at its end. @param now milliseconds since the epoch */
  end(head: ChainHead, now: number): { head: ChainHead; last: ChainLink | undefined };
}

/**
 * The chain begins anew with the sealed texts. Each has the hash that its entry had, so that a hash that was kept can be found again.
 * Where the chain was broken, it stays broken: that link keeps its hash, which does not follow from its text.
 */
export function createEarlierTrail(): EarlierTrail {
  let [lastBefore, last]: [ChainHead, ChainHead] = [emptyChain, emptyChain];

  return {
    draft(link) {
      const follows = nextLink(lastBefore, link.text);
      const isWhole = follows.position === link.position && follows.hash === link.hash;
      lastBefore = link;
      const draft = draftOf(link.text);
      return {
        owners: draft?.parts.map(({ owner }) => owner) ?? [],
        seal(keys) {
          const text = draft ? JSON.stringify({ ...sealEntry(draft, keys), was: link.hash }) : link.text;
          const sealed =
            isWhole && draft
              ? nextLink({ position: link.position - 1, hash: last.hash }, text)
              : { position: link.position, text, hash: link.hash };
          last = sealed;
          return sealed;
        },
      };
    },
    end(head, now) {
      if (head.position !== lastBefore.position || head.hash !== lastBefore.hash) return { head, last: undefined };
      if (head.position === 0) return { head, last: undefined };
      const entry = {
        at: now,
        correlationId: randomUUID(),
        operation: 'seal-record',
        change: `seal the names in the ${head.position} entries of earlier versions`,
        action: 'done',
        through: 'upgrade',
      };
      const link = nextLink(last, JSON.stringify(entry));
      return { head: link, last: link };
    },
  };
}

/** Undefined for a text that is no entry. */
function draftOf(text: string): ReturnType<typeof draftEntry> | undefined {
  try {
    return draftEntry(parseAuditEntry(text), randomUUID);
  } catch {
    return undefined;
  }
}
