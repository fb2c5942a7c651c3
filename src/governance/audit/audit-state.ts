import type { MissingEnd } from '../../domain/audit-chain.ts';
import { afterRefused, type Posting } from '../../durable/posting.ts';
import { stillOpen, type AuditPosts, type ShownEntries } from './next-post.ts';

/** How far the audit channel shows the audit trail of a workspace. */
export interface AuditState extends Posting<{ shows: Shown }> {
  /** The audit channel. In another one, entries get new posts. */
  channelId: string;
  /** The position up to which every entry is posted, or is not to be. */
  upTo: number;
  /** The missing entry that the channel was told of; 0: none. */
  cutAt: number;
  /** By subject. */
  posts: AuditPosts;
}

export type Shown = ShownEntries | { missing: MissingEnd };

export function begun(channelId: string, upTo: number, cutAt = 0): AuditState {
  return { channelId, upTo, cutAt, posts: {}, failures: 0, notBefore: 0 };
}

/** The state of a channel that replaces another. What is in flight belongs to the other one. */
export function inOtherChannel({ upTo, cutAt }: AuditState, channelId: string): AuditState {
  return begun(channelId, upTo, cutAt);
}

/** The state after a post shows what is given. */
export function afterShown(state: AuditState, shows: Shown, messageId: string | undefined, now: number): AuditState {
  if ('missing' in shows) return afterCut(state, shows.missing);
  const { subject, ...post } = shows;
  const posts = { ...state.posts, [subject]: { ...post, ...(messageId !== undefined && { messageId }), at: now } };
  return { ...state, posts: stillOpen(posts, state.upTo, now) };
}

/** Positions begin anew after a cut, and with them the posts. */
function afterCut(state: AuditState, { knownPosition, lastPosition }: MissingEnd): AuditState {
  // An entry appended since the cut has not been posted. Posting an older one twice does no harm.
  const upTo = state.upTo >= lastPosition ? Math.max(0, lastPosition - 1) : state.upTo;
  return { ...state, cutAt: knownPosition, upTo, posts: {} };
}

/**
 * The state after a post was refused for its length or its form.
 *
 * @param entries the number of entries in it
 * @returns `isSetAside` where its only entry is given up
 */
export function afterBad(
  state: AuditState,
  shows: Shown,
  entries: number,
  now: number,
): { state: AuditState; isSetAside: boolean } {
  const next = afterRefused(state, { entries, until: 'missing' in shows ? 0 : shows.upTo }, now);
  return next.isSetAside ? { state: afterShown(next.state, shows, undefined, now), isSetAside: true } : next;
}
