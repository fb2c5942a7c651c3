import type { Keyv } from 'keyv';
import { emptyChain, type ChainHead } from '../domain/audit-chain.ts';
import type { AnchoredAuditTrail, AuditTrail } from './storage.ts';

/**
 * Adds `missingEnd` to an audit trail. A trail whose end was cut off, with its head set back, verifies: nothing in it
 * names the entries after it. So the last known entry is kept a second time as an anchor, in memory since the last
 * append and in the store since the last look. An anchor that does not hold is never replaced.
 */
export function anchorTrail(trail: AuditTrail, anchors: Keyv<ChainHead>): AnchoredAuditTrail {
  const appended = new Map<string, ChainHead>();
  const cut = new Set<string>();

  /** Whether the entry at the anchor's position is still the one that was known. */
  async function holds(teamId: string, { position, hash }: ChainHead, head: ChainHead): Promise<boolean> {
    if (position === 0) return true;
    if (head.position <= position) return head.position === position && head.hash === hash;
    const [link] = await trail.since(teamId, position - 1, 1);
    return link?.position === position && link.hash === hash;
  }

  return {
    ...trail,
    async append(teamId, entry) {
      const link = await trail.append(teamId, entry);
      const { position } = appended.get(teamId) ?? emptyChain;
      // Positions only grow. An earlier one takes the place of a missing entry, so the anchor stays.
      if (link.position <= position) cut.add(teamId);
      if (!cut.has(teamId)) appended.set(teamId, { position: link.position, hash: link.hash });
      return link;
    },
    async missingEnd(teamId) {
      const stored = (await anchors.get(teamId)) ?? emptyChain;
      const known = [stored, appended.get(teamId) ?? emptyChain].toSorted((a, b) => a.position - b.position);
      // After the anchors, or an entry appended meanwhile would look like a missing one.
      const head = await trail.head(teamId);
      for (const anchor of known) {
        if (!(await holds(teamId, anchor, head))) return { knownPosition: anchor.position, lastPosition: head.position };
      }
      if (head.position > stored.position) await anchors.set(teamId, head);
      return undefined;
    },
  };
}
