import type { AuditAnnouncement, NamedAuditEntry } from '../../domain/announcement.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { AuditTrail } from '../../storage/storage.ts';
import type { NextPost } from './next-post.ts';

/** Puts names in the place of the platform's ids, for posts that must notify nobody. Never rejects: without a name, there are words. */
export interface AuditNames {
  ofPerson(personId: string): Promise<string>;
  ofEntry(entry: AuditEntry): Promise<NamedAuditEntry>;
}

/** @returns what a post shows. It reads the entries about a request from the trail again: nothing else keeps their names. */
export function createAnnouncementOf(deps: {
  trail: Pick<AuditTrail, 'since'>;
  names: AuditNames;
}): (teamId: string, post: NextPost) => Promise<AuditAnnouncement> {
  const { trail, names } = deps;
  const named = async (entries: readonly AuditEntry[]) =>
    Promise.all(entries.map(async (entry) => names.ofEntry(entry)));

  async function entriesAt(teamId: string, positions: readonly number[]): Promise<AuditEntry[]> {
    const links = await Promise.all(positions.map(async (position) => trail.since(teamId, position - 1, 1)));
    return links.flat().map(({ entry }) => entry);
  }

  return async (teamId, { shows: { positions, refusals }, items }) => {
    if (positions) return { kind: 'audit-request', entries: await named(await entriesAt(teamId, positions)) };
    const entries = items.map(({ entry }) => entry);
    if (refusals === undefined || totalOf(refusals.counts) === 1)
      return { kind: 'audit-changes', items: await named(entries) };
    return { kind: 'audit-refusals', who: await names.ofPerson(entries[0]?.by ?? ''), refusals };
  };
}

function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
