import type { Keyv } from 'keyv';
import type { Refusals } from '../../domain/announcement.ts';
import type { AnchoredAuditTrail } from '../../storage/storage.ts';
import type { AuditBeginning, AuditPostInFlight } from './audit-state.ts';
import { subjectOf, type AuditPost, type AuditPosts } from './next-post.ts';

/** A post as versions up to 1.6 kept it. */
export interface EarlierPost {
  ts: string;
  through: number;
  positions?: readonly number[];
  refusals?: Refusals;
}

/** What versions up to 1.6 kept of the posts in the audit channel. */
export interface EarlierPosts {
  /** The position up to which every entry is posted, by workspace. */
  posted: Keyv<number>;
  /** By workspace, cut of the trail, and subject: `T1:0:request:…`. */
  posts: Keyv<EarlierPost>;
  /** By workspace: a post that may not have arrived. */
  pending: Keyv<{ key: string; at: number; post: EarlierPost }>;
}

/** They forgot a post after 30 days at most. */
const keptForMs = 30 * 24 * 3_600_000;
const entriesAtOnce = 1_000;

/** @returns reads where an earlier version has got to; undefined where none has posted anything */
export function createReadEarlierState({
  earlier: { posted, posts, pending },
  trail,
  now,
}: {
  earlier: EarlierPosts;
  trail: Pick<AnchoredAuditTrail, 'latest' | 'missingEnd'>;
  now: () => number;
}): (teamId: string) => Promise<Partial<AuditBeginning> | undefined> {
  return async (teamId) => {
    const [upTo, lost] = await Promise.all([posted.get(teamId), pending.get(teamId)]);
    if (upTo === undefined && lost === undefined) return undefined;
    const cutAt = (await trail.missingEnd(teamId))?.knownPosition ?? 0;
    return {
      ...(upTo !== undefined && { upTo }),
      cutAt,
      posts: await postsOf(teamId, cutAt),
      ...(lost && { inFlight: inFlightOf(lost) }),
    };
  };

  async function postsOf(teamId: string, cutAt: number): Promise<AuditPosts> {
    const found: Record<string, AuditPost> = {};
    for (const subject of await recentSubjects(teamId)) {
      const post = await posts.get(`${teamId}:${cutAt}:${subject}`);
      if (post) found[subject] = { ...contentOf(post), messageId: post.ts, at: now() };
    }
    return found;
  }

  async function recentSubjects(teamId: string): Promise<Set<string>> {
    const subjects = new Set<string>();
    for (let before: number | undefined; ;) {
      const links = await trail.latest(teamId, entriesAtOnce, before);
      for (const { entry } of links) {
        const subject = subjectOf(entry);
        if (subject !== undefined) subjects.add(subject);
      }
      const last = links.at(-1);
      if (last === undefined || last.entry.at < now() - keptForMs) return subjects;
      before = last.position;
    }
  }
}

/** The key is one that `find` knows: earlier versions marked their posts by subject and position. */
function inFlightOf({ key, at, post }: { key: string; at: number; post: EarlierPost }): AuditPostInFlight {
  const [, , ...subject] = key.split(':');
  return {
    key: `audit_post/${key}/${post.through}`,
    startedAt: at,
    shows: { subject: subject.join(':'), ...contentOf(post) },
  };
}

function contentOf({ through, positions, refusals }: EarlierPost): Omit<AuditPost, 'messageId' | 'at'> {
  return { upTo: through, ...(positions && { positions }), ...(refusals && { refusals }) };
}
