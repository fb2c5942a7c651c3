import type { Keyv } from 'keyv';
import { emptyChain, type ChainHead } from '../domain/audit-chain.ts';
import type { AnchoredAuditTrail, AuditTrail } from './storage.ts';

/**
 * Adds `missingEnd` to an audit trail. A trail whose end was cut off, with its head set back, verifies: nothing in it
 * names the entries after it. So the last known entry is kept as an anchor: outside the store since the last append or look,
 * and in the store since the last look. An anchor that does not hold is never replaced, except in the store by a later anchor.
 *
 * @param known the anchors outside the store, by workspace
 */
export function anchorTrail(
  trail: AuditTrail,
  anchors: Keyv<ChainHead>,
  known: Map<string, ChainHead> = new Map(),
): AnchoredAuditTrail {
  const cut = new Set<string>();

  /** Whether the entry at the anchor's position is still the one that was known. */
  async function holds(teamId: string, { position, hash }: ChainHead, head: ChainHead): Promise<boolean> {
    if (position === 0) return true;
    if (head.position <= position) return head.position === position && head.hash === hash;
    const [link] = await trail.since(teamId, position - 1, 1);
    return link?.position === position && link.hash === hash;
  }

  function raise(teamId: string, { position, hash }: ChainHead): void {
    if (!cut.has(teamId) && position > (known.get(teamId) ?? emptyChain).position)
      known.set(teamId, { position, hash });
  }

  return {
    ...trail,
    async append(teamId, entry) {
      const link = await trail.append(teamId, entry);
      // Positions only grow. An earlier one takes the place of a missing entry, so the anchor stays.
      if (link.position <= (known.get(teamId) ?? emptyChain).position) cut.add(teamId);
      raise(teamId, link);
      return link;
    },
    async missingEnd(teamId) {
      const stored = (await anchors.get(teamId)) ?? emptyChain;
      const outside = known.get(teamId) ?? emptyChain;
      // After the anchors, or an entry appended meanwhile would look like a missing one.
      const head = await trail.head(teamId);
      for (const anchor of [stored, outside].toSorted((a, b) => a.position - b.position)) {
        if (await holds(teamId, anchor, head)) continue;
        cut.add(teamId);
        // A store that lost everything lost its anchor, too.
        if (anchor.position > stored.position) await anchors.set(teamId, anchor);
        return { knownPosition: anchor.position, lastPosition: head.position };
      }
      if (head.position > stored.position) await anchors.set(teamId, head);
      raise(teamId, head);
      return undefined;
    },
  };
}
