import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { Refusals, AuditAnnouncement, NamedAuditEntry } from '../../domain/announcement.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { AuditTrail } from '../../storage/audit.ts';

/** An entry of the audit trail. */
export interface AuditItem {
  position: number;
  entry: AuditEntry;
}

/** What a post shows. It holds no names: entries are read from the trail again. */
export interface ShownEntries {
  /** Entries with the same subject share a post. */
  subject: string;
  /** The position of the last entry in it. Entries of the subject up to there are not shown again. */
  upTo: number;
  /** The positions of the entries about a request. */
  positions?: readonly number[];
  refusals?: Refusals;
}

/** A post in the audit channel, by its subject. */
interface AuditPost extends Omit<ShownEntries, 'subject'> {
  /** Undefined where the entries could not be posted. */
  messageId?: string;
  /** When it was posted or changed (milliseconds since the epoch). */
  at: number;
}

export type AuditPosts = Readonly<Record<string, AuditPost>>;

/** The post to make next, or to change. */
interface NextPost {
  shows: ShownEntries;
  /** The post that is changed; undefined: a new one is made. */
  messageId?: string;
  /** The entries that come into it. */
  items: readonly AuditItem[];
}

/** Refusals of one person in this time share a post. */
const refusalsForMs = 3_600_000;
/** How long a request keeps its post. Requests expire within days. */
const requestsForMs = 30 * 24 * 3_600_000;
/** Of a request whose run fails again and again, its post shows the first entry and the last ones. */
const requestEntriesAtMost = 10;
/** Later entries get a new post where more are remembered. */
const postsAtMost = 500;

const changes = 'changes';
const ofRequest = 'request:';
const ofPerson = 'refused:';

/** Which post shows an entry; undefined for entries that are not posted. A refusal belongs to the person, also where it is about a request. */
export function subjectOf({ operation, action, by, request, batch }: AuditEntry): string | undefined {
  // A batch is posted when it begins and when it is over. Its rows are on the record, and in its result.
  if (batch !== undefined) return undefined;
  if (action === 'done' && operationNamed(operation)?.access === 'read') return undefined;
  if (action === 'refused') return by === undefined ? changes : `${ofPerson}${by}`;
  return request === undefined ? changes : `${ofRequest}${request}`;
}

/**
 * @param items the entries after those that are posted, the oldest first
 * @param entriesAtMost in a post
 * @returns the post of the first entry that is in none, with later entries that share it; undefined where every entry is posted
 */
export function nextPost(
  posts: AuditPosts,
  items: readonly AuditItem[],
  entriesAtMost: number,
  now: number,
): NextPost | undefined {
  const first = items.find((item) => !isShown(posts, item));
  const subject = first && subjectOf(first.entry);
  if (subject === undefined) return undefined;
  const group = items
    .filter((item) => subjectOf(item.entry) === subject && !isShown(posts, item))
    .slice(0, entriesAtMost);
  const known = posts[subject];
  const upTo = group.at(-1)?.position ?? 0;
  if (subject.startsWith(ofPerson)) {
    const recent = known?.refusals !== undefined && now < known.refusals.since + refusalsForMs ? known : undefined;
    const refusals = addRefusals(recent?.refusals, group);
    return { shows: { subject, upTo, refusals }, ...messageOf(recent), items: group };
  }
  if (!subject.startsWith(ofRequest)) return { shows: { subject, upTo }, items: group };
  const positions = shortened([...(known?.positions ?? []), ...group.map(({ position }) => position)]);
  return { shows: { subject, upTo, positions }, ...messageOf(known), items: group };
}

/** The position up to which every entry is posted, or is not to be. */
export function postedUpTo(posts: AuditPosts, items: readonly AuditItem[], before: number): number {
  const waiting = items.findIndex((item) => !isShown(posts, item));
  return (waiting === -1 ? items.at(-1) : items[waiting - 1])?.position ?? before;
}

/** Leaves out the posts that no later entry changes. @param upTo the position up to which every entry is posted */
export function stillOpen(posts: AuditPosts, upTo: number, now: number): AuditPosts {
  const open = Object.entries(posts).filter(([subject, post]) => {
    if (post.upTo > upTo) return true;
    if (post.refusals) return now < post.refusals.since + refusalsForMs;
    return subject.startsWith(ofRequest) && now < post.at + requestsForMs;
  });
  return Object.fromEntries(open.toSorted(([, one], [, other]) => other.at - one.at).slice(0, postsAtMost));
}

function messageOf(post: AuditPost | undefined): Pick<NextPost, 'messageId'> {
  return post?.messageId === undefined ? {} : { messageId: post.messageId };
}

function isShown(posts: AuditPosts, { position, entry }: AuditItem): boolean {
  const subject = subjectOf(entry);
  return subject === undefined || position <= (posts[subject]?.upTo ?? 0);
}

function addRefusals(known: Refusals | undefined, items: readonly AuditItem[]): Refusals {
  const counts: Record<string, number> = { ...known?.counts };
  for (const { entry } of items) counts[entry.operation] = (counts[entry.operation] ?? 0) + 1;
  return { since: known?.since ?? items[0]?.entry.at ?? 0, counts };
}

function shortened(positions: readonly number[]): readonly number[] {
  return positions.length <= requestEntriesAtMost
    ? positions
    : [...positions.slice(0, 1), ...positions.slice(1 - requestEntriesAtMost)];
}

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
