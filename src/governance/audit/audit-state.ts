import type { MissingEnd } from '../../domain/audit-chain.ts';
import type { PlatformError } from '../../domain/errors.ts';
import { graceEndsAt } from '../../durable/look-up.ts';
import type { PostOutcome } from '../../durable/post-once.ts';
import { restFor, restsUntil, type Rest } from '../../durable/rest.ts';
import { retryPauseMs } from '../../durable/retry-pause.ts';
import { stillOpen, type AuditPosts, type ShownEntries } from './next-post.ts';

/** How far the audit channel shows the audit trail of a workspace. Times are milliseconds since the epoch. */
export interface AuditState extends Rest {
  /** The audit channel. In another one, entries get new posts. */
  channelId: string;
  /** The position up to which every entry is posted, or is not to be. */
  upTo: number;
  /** The missing entry that the channel was told of; 0: none. */
  cutAt: number;
  /** By subject. */
  posts: AuditPosts;
  /** A post that may or may not be in the channel. */
  inFlight?: AuditPostInFlight | undefined;
  /** The last new post; later ones are younger. */
  lastMessageId?: string | undefined;
  /** After a post that was refused for its length or form: the entries of the next one. */
  entriesAtMost?: number | undefined;
  /** How often a post of one entry was refused likewise, in a row. */
  badTries?: number | undefined;
  /** Failed calls since the last post. */
  failures: number;
  /** Why nothing can be posted, by the platform’s code. */
  problem?: { code: string; areAdministratorsNotified: boolean } | undefined;
}

export interface AuditPostInFlight {
  key: string;
  startedAt: number;
  shows: ShownEntries | { missing: MissingEnd };
}

/** The platform takes one message a second in a channel; entries that arrive meanwhile share the next post. */
const paceMs = 1_100;
const entriesAtMost = 20;
const badTriesAtMost = 5;

export function begun(channelId: string, upTo: number, cutAt = 0): AuditState {
  return { channelId, upTo, cutAt, posts: {}, failures: 0, notBefore: 0 };
}

/** The state of a channel that replaces another. What is in flight belongs to the other one. */
export function inOtherChannel({ upTo, cutAt }: AuditState, channelId: string): AuditState {
  return begun(channelId, upTo, cutAt);
}

/** Whether there is something to do although no entry is new. */
export function isBusy({ inFlight, problem }: AuditState): boolean {
  return inFlight !== undefined || problem?.areAdministratorsNotified === false;
}

export function auditRestsUntil(state: AuditState, now: number): number | undefined {
  return restsUntil(state, now) ?? (state.inFlight && graceEndsAt(state.inFlight.startedAt, now));
}

export function entriesInPost(state: AuditState): number {
  return state.entriesAtMost ?? entriesAtMost;
}

/** The state after a post shows what is given. */
export function afterShown(
  state: AuditState,
  shows: AuditPostInFlight['shows'],
  messageId: string | undefined,
  now: number,
): AuditState {
  const { inFlight: _, problem: _p, entriesAtMost: _e, badTries: _b, ...settled } = state;
  const shown = { ...settled, failures: 0, ...restFor(paceMs, now) };
  if ('missing' in shows) return afterCut(shown, shows.missing);
  const { subject, ...post } = shows;
  const posts = { ...state.posts, [subject]: { ...post, ...(messageId !== undefined && { messageId }), at: now } };
  return { ...shown, posts: stillOpen(posts, state.upTo, now) };
}

/** Positions begin anew after a cut, and with them the posts. */
function afterCut(state: AuditState, { knownPosition, lastPosition }: MissingEnd): AuditState {
  // An entry appended since the cut has not been posted. Posting an older one twice does no harm.
  const upTo = state.upTo >= lastPosition ? Math.max(0, lastPosition - 1) : state.upTo;
  return { ...state, cutAt: knownPosition, upTo, posts: {} };
}

/**
 * The state after a post, or after a look for it.
 *
 * @param entries the number of entries in the post
 * @returns `isSetAside` where the entry is given up
 */
export function afterOutcome(
  state: AuditState,
  inFlight: AuditPostInFlight,
  outcome: PostOutcome,
  entries: number,
  now: number,
): { state: AuditState; isSetAside?: true } {
  const settled: AuditState = { ...state, inFlight: undefined };
  switch (outcome.kind) {
    case 'posted': {
      const { messageId } = outcome;
      return { state: { ...afterShown(state, inFlight.shows, messageId, now), lastMessageId: messageId } };
    }
    case 'look again':
      return { state: { ...state, ...restFor(outcome.at - now, now) } };
    case 'not there':
      return { state: settled };
    case 'closed':
    case 'failed':
      return { state: afterFailure(outcome.mayBeThere ? state : settled, outcome.error, now) };
    case 'too long':
    case 'bad':
      return afterBad(settled, inFlight.shows, entries, outcome.error, now);
  }
}

/** A post that is refused for its length or form has half as many entries next time. An entry that is refused alone does not hold up the others. */
export function afterBad(
  state: AuditState,
  shows: AuditPostInFlight['shows'],
  entries: number,
  error: PlatformError,
  now: number,
): { state: AuditState; isSetAside?: true } {
  if (entries > 1) return { state: { ...state, entriesAtMost: Math.floor(entries / 2), ...restFor(paceMs, now) } };
  const badTries = (state.badTries ?? 0) + 1;
  return badTries < badTriesAtMost
    ? { state: { ...afterFailure(state, error, now), badTries } }
    : { state: afterShown(state, shows, undefined, now), isSetAside: true };
}

/** The state after a call that failed. Where the channel is closed, administrators are notified before it is tried again. */
export function afterFailure(state: AuditState, error: PlatformError, now: number): AuditState {
  const failures = state.failures + 1;
  const isClosed = error.kind === 'closed' || error.kind === 'forbidden';
  const problem = state.problem ?? (isClosed ? { code: error.code, areAdministratorsNotified: false } : undefined);
  const pauseMs = problem === state.problem ? retryPauseMs(failures, error) : 0;
  return { ...state, failures, problem, ...restFor(pauseMs, now) };
}

/** The state after administrators were notified of its problem, or could not be now. */
export function afterNotifying(state: AuditState, areAdministratorsNotified: boolean, now: number): AuditState {
  const { problem, failures } = state;
  const pause = restFor(retryPauseMs(failures, { retryAfterMs: undefined }), now);
  return { ...state, ...pause, problem: problem && { ...problem, areAdministratorsNotified } };
}
