import type { Announcement } from '../../domain/announcement.ts';
import type { MissingEnd } from '../../domain/audit-chain.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Keep, Machine, Step, View } from '../../durable/machine.ts';
import {
  afterCall,
  afterFailure,
  afterTelling,
  createPoster,
  isClosed,
  isRefusedFor,
  lookFor,
  mostEntries,
  post,
  postingRestsUntil,
  retryPauseMs,
  settlePost,
  withProblem,
  afterRefused,
  type PostAnswer,
  type PostDeed,
  type Posting,
} from '../../durable/posting.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { Storage } from '../../storage/records.ts';
import {
  createAnnouncementOf,
  nextPost,
  postedUpTo,
  stillOpen,
  type AuditNames,
  type AuditPosts,
  type ShownEntries,
} from './next-post.ts';
import { randomUUID } from 'node:crypto';
import { auditQueue } from '../../domain/queues.ts';
import { createCoalescing, type Mail } from '../../durable/mail.ts';
import { auditChannelClosedNote } from '../../features/administration/pages/audit.ts';

/** Where the audit trail is posted. */
type AuditChannel = Pick<AnnouncementChannel, 'post' | 'find' | 'update'>;

/** Read for a step. */
const entriesAtOnce = 100;
/** In a post. */
const entriesAtMost = 20;

type AuditNote = { kind: 'set aside'; error: PlatformError };
type AuditDeed = PostDeed<AuditState>;
type AuditView = View<AuditState>;
type AuditStep = Step<AuditState, AuditDeed, AuditNote>;

/**
 * Posts the audit trail into the audit channel. It reads the trail itself, so an entry that could not be posted is posted later,
 * also after a crash. Operations that only read are left out.
 *
 * A request for approval has one post, kept up to date, and so have the refusals of a person within an hour. Other changes
 * share a post where they come at the same time. Each step makes one post or changes one.
 */
function auditMachine(deps: {
  /** Undefined: the trail is posted nowhere. */
  channelId: string | undefined;
  channel: AuditChannel;
  trail: Pick<Storage['audit'], 'since' | 'missingEnd'>;
  names: AuditNames;
  /** The position after which the posts of a workspace begin that has no state. */
  lastBeforeStart: (teamId: string) => Promise<number>;
  /** Tells administrators that nothing can be posted. @returns false where that is to be tried again */
  notifyAdministrators: (channelId: string, code: string) => Promise<boolean>;
  newId: () => string;
  log: Log;
}): Machine<AuditState, AuditDeed, PostAnswer, AuditNote> {
  const { channelId, channel, trail, log } = deps;
  const announcementOf = createAnnouncementOf(deps);
  const poster = createPoster<AuditView>(channel, (error) =>
    log.error(
      { error, channel: channelId, code: error.code },
      'the audit channel does not take what is on the record; it is posted later',
    ),
  );

  async function step(view: AuditView): Promise<AuditStep> {
    const { state, mailbox } = view;
    if (channelId === undefined)
      return state && isBusy(state)
        ? keep({ ...state, inFlight: undefined, problem: undefined })
        : { kind: 'rest', until: undefined };
    if (state === undefined) return keep(begun(channelId, await deps.lastBeforeStart(mailbox.teamId)));
    // What is in flight belongs to the channel that this one replaces.
    if (state.channelId !== channelId) return keep(begun(channelId, state.upTo, state.cutAt));
    if (state.problem?.isTold === false) {
      if (await deps.notifyAdministrators(state.channelId, state.problem.code))
        return keep(afterTelling(state, true, retryPauseMs(state.failures, { retryAfterMs: undefined }), view.now));
    }
    if (state.inFlight) return lookFor(state, { channelId });
    const missing = await trail.missingEnd(mailbox.teamId);
    if ((missing?.knownPosition ?? 0) === state.cutAt) return stepForEntries(state, view);
    // The entries are back.
    if (missing === undefined) return keep({ ...state, cutAt: 0, posts: {} });
    return begin(state, { missing }, { kind: 'audit-missing', missing }, view.now);
  }

  async function stepForEntries(stored: AuditState, view: AuditView): Promise<AuditStep> {
    const { teamId } = view.mailbox;
    const items = await trail.since(teamId, stored.upTo, entriesAtOnce);
    const state = { ...stored, upTo: postedUpTo(stored.posts, items, stored.upTo) };
    const most = Math.min(entriesAtMost, mostEntries(stored, items[0]?.position ?? 0));
    const picked = nextPost(stored.posts, items, most, view.now);
    if (picked === undefined) return state.upTo === stored.upTo ? { kind: 'rest', until: undefined } : keep(state);
    const announcement = await announcementOf(teamId, picked);
    const { messageId } = picked;
    if (messageId === undefined) return begin(state, picked.shows, announcement, view.now);
    const updated = await poster.attempt(() => channel.update(state.channelId, messageId, announcement), view);
    const { now } = view;
    if (!(updated instanceof PlatformError))
      return keep(afterShown(afterCall(state, now), picked.shows, messageId, now));
    if (updated.kind === 'thread_gone') return begin(state, picked.shows, announcement, now);
    return isRefusedFor(updated)
      ? kept(afterBad(state, picked.shows, picked.items.length, now), updated)
      : keep(afterFailed(afterFailure(state, updated, now), updated, now));
  }

  function begin(state: AuditState, shows: Shown, announcement: Announcement, now: number): AuditStep {
    return post(state, {
      channelId: state.channelId,
      inFlight: { id: deps.newId(), startedAt: now, shows },
      announcement,
    });
  }

  return {
    mailAtMost: 1,
    needsPlatform: true,
    restsUntil: postingRestsUntil,
    isBusy,
    step,
    deeds: {
      do: poster.do,
      look: poster.look,
      settle(deed, answer, view) {
        const { now } = view;
        const { shows } = deed.inFlight;
        const { state, outcome } = settlePost(view.state, deed, answer, now);
        switch (outcome.kind) {
          case 'posted':
            return keep(afterShown(state, shows, outcome.messageId, now));
          case 'refused': {
            const { announcement } = deed;
            const entries = announcement && 'items' in announcement ? announcement.items.length : 1;
            return kept(afterBad(state, shows, entries, now), outcome.error);
          }
          case 'unknown':
            return keep(state);
          default:
            return keep(afterFailed(state, outcome.error, now));
        }
      },
    },
    note({ error }) {
      log.error({ error, channel: channelId }, 'an entry of the audit trail is set aside: it cannot be posted');
    },
  };
}

/** Keeps a state, and runs again when its pause is over. */
function keep(state: AuditState): Keep<AuditState, AuditNote> {
  return { kind: 'keep', state, at: state.notBefore };
}

function kept({ state, isSetAside }: ReturnType<typeof afterBad>, error: PlatformError): Keep<AuditState, AuditNote> {
  return isSetAside ? { ...keep(state), note: { kind: 'set aside', error } } : keep(state);
}

/** Whether there is something to do although no entry is new. */
function isBusy({ inFlight, problem }: AuditState): boolean {
  return inFlight !== undefined || problem?.isTold === false;
}

/** Where the channel is closed, administrators are notified before it is tried again. */
function afterFailed(state: AuditState, error: PlatformError, now: number): AuditState {
  return isClosed(error) ? withProblem(state, error, now) : state;
}

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

type Shown = ShownEntries | { missing: MissingEnd };

function begun(channelId: string, upTo: number, cutAt = 0): AuditState {
  return { channelId, upTo, cutAt, posts: {}, failures: 0, notBefore: 0 };
}

/** The state after a post shows what is given. */
function afterShown(state: AuditState, shows: Shown, messageId: string | undefined, now: number): AuditState {
  if ('missing' in shows) return afterCut(state, shows.missing);
  const { subject, ...shown } = shows;
  const posts = { ...state.posts, [subject]: { ...shown, ...(messageId !== undefined && { messageId }), at: now } };
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
function afterBad(
  state: AuditState,
  shows: Shown,
  entries: number,
  now: number,
): { state: AuditState; isSetAside: boolean } {
  const next = afterRefused(state, { entries, until: 'missing' in shows ? 0 : shows.upTo }, now);
  return next.isSetAside ? { state: afterShown(next.state, shows, undefined, now), isSetAside: true } : next;
}

/** While a batch puts its rows on the trail, the posting is woken no more often than this. */
const wakePauseMs = 50;
const entriesLookedAt = 1_000;

/** Keeps the audit channel up to date with the audit trail. */
export function createAuditPosting(deps: {
  /** Undefined: the trail is posted nowhere. */
  channelId: string | undefined;
  channel: AuditChannel & Pick<AnnouncementChannel, 'sendDirect' | 'closedReason'>;
  trail: Pick<Storage['audit'], 'since' | 'latest' | 'missingEnd'>;
  names: AuditNames;
  administrators: () => Promise<string[]>;
  /** Called where no administrator can be written to. */
  onNobodyNotified: (facts: { channel: string; code: string }) => Promise<void>;
  mail: Pick<Mail, 'wake'>;
  teamId: () => Promise<string>;
  log: Log;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}) {
  const { channelId, channel, trail, mail, log, now } = deps;
  const startedAt = now();

  /** Entries from before the channel was set are no news. */
  async function lastBeforeStart(teamId: string): Promise<number> {
    const links = await trail.latest(teamId, entriesLookedAt);
    return links.find(({ entry }) => entry.at < startedAt)?.position ?? 0;
  }

  async function notifyAdministrators(closedId: string, code: string): Promise<boolean> {
    const note = auditChannelClosedNote(closedId, channel.closedReason(code));
    try {
      const people = await deps.administrators();
      const sent = await Promise.allSettled(
        people.map(async (personId) => channel.sendDirect(personId, { kind: 'note', note })),
      );
      if (sent.some(({ status }) => status === 'fulfilled')) return true;
      const delay = sent.find((one) => one.status === 'rejected' && !isUnreachable(one.reason));
      if (delay?.status === 'rejected') throw delay.reason;
      await deps.onNobodyNotified({ channel: closedId, code });
      return true;
    } catch (error) {
      log.warn({ error, channel: closedId }, 'administrators are not notified of the closed audit channel yet');
      return false;
    }
  }

  const wakeSoon = createCoalescing<string>(
    (queues) => mail.wake([...queues].map((queue) => ({ queue }))),
    wakePauseMs,
    deps.sleep,
  );

  return {
    machine: auditMachine({ ...deps, lastBeforeStart, notifyAdministrators, newId: randomUUID }),
    /** Call after every new entry. */
    wake(teamId: string): void {
      if (channelId !== undefined) wakeSoon(auditQueue(teamId));
    },
    /** Call from time to time: a wake can be lost. */
    async upkeep(): Promise<void> {
      if (channelId !== undefined) await mail.wake([{ queue: auditQueue(await deps.teamId()) }]);
    },
  };
}

/** Whether a person cannot be written to, such as one who has left. */
function isUnreachable(error: unknown): boolean {
  return error instanceof PlatformError && error.kind === 'closed';
}
