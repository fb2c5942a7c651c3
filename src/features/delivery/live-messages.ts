import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { graceEndsAt } from '../../durable/look-up.ts';
import type { Keep, Machine, View } from '../../durable/machine.ts';
import { createPostOnce, outcomeOfPost, type PostAnswer, type PostDeed } from '../../durable/post-once.ts';
import { restFor, restsUntil, type Rest } from '../../durable/rest.ts';
import { retryPauseMs } from '../../durable/retry-pause.ts';
import type { Pace } from './pace.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import { backoffMs } from '../../time/backoff.ts';

/** What the queue of a live message stores beside its entries. Times are milliseconds since the epoch. */
export interface LiveState extends Rest {
  /** Undefined until the message is posted. */
  message?: { channelId: string; id: string };
  /** The fingerprint of what the message shows. */
  shown?: string;
  /** The first post, while nobody knows whether it arrived. */
  inFlight?: { key: string; channelId: string; startedAt: number; shows: string } | undefined;
  /** When the message was changed last. */
  changedAt: number;
  /** Failed calls since the last change. */
  failures: number;
  /** Why it is not shown, by the platform’s code, since it was shown last. `isOwnerNotified` is false until the owner knows. */
  problem?: { code: string; isOwnerNotified: boolean } | undefined;
  /** How often people deleted it. */
  deletions?: number;
  /** The message shows its final state, or there is none any more. */
  isOver?: boolean;
}

const freshLiveState: LiveState = { changedAt: 0, failures: 0, notBefore: 0 };

/** 30 changes a minute. */
const changePauseMs = 2_000;
const closedBackoff = { firstMs: 60_000, longestMs: 3_600_000 };
/** @returns until when nothing may be sent; undefined where something may be sent now */
function liveRestsUntil(state: LiveState, now: number): number | undefined {
  const { changedAt, inFlight } = state;
  const at = Math.max(
    restsUntil(state, now) ?? 0,
    restsUntil(restFor(changePauseMs, changedAt), now) ?? 0,
    (inFlight && graceEndsAt(inFlight.startedAt, now)) ?? 0,
  );
  return at > now ? at : undefined;
}

/** The state after the message shows what has this fingerprint. */
export function afterShown(
  state: LiveState,
  { message, shows, isFinal }: { message: NonNullable<LiveState['message']>; shows: string; isFinal: boolean },
  now: number,
): LiveState {
  return {
    ...state,
    inFlight: undefined,
    message,
    shown: shows,
    changedAt: now,
    failures: 0,
    notBefore: now,
    problem: undefined,
    isOver: isFinal,
  };
}

/** The state after a call that failed; `isOver` where trying again does not help. */
function afterLiveFailure(state: LiveState, failure: PlatformError, now: number): LiveState {
  const { kind, code } = failure;
  if (kind === 'thread_gone') return afterDeletion(state, code, now);
  const failures = state.failures + 1;
  if (kind === 'closed' || kind === 'forbidden')
    return withProblem({ ...state, failures, isOver: false }, state.problem ?? { code, isOwnerNotified: false }, now);
  const isOver = (kind === 'bad_message' || kind === 'too_long') && failures >= badTriesAtMost;
  return { ...state, failures, ...restFor(retryPauseMs(failures, failure), now), isOver };
}

/** The state after its owner was told why it is not shown, or could not be told now. */
function afterTelling(state: LiveState, isOwnerNotified: boolean, now: number): LiveState {
  const { problem, failures } = state;
  if (problem === undefined) return state;
  const told = { ...state, problem: { ...problem, isOwnerNotified } };
  return isOwnerNotified && state.isOver ? told : { ...told, ...restFor(backoffMs(failures, closedBackoff), now) };
}

/** First the owner is notified, then the channel is tried again. */
function withProblem(state: LiveState, problem: NonNullable<LiveState['problem']>, now: number): LiveState {
  const pauseMs = problem.isOwnerNotified ? backoffMs(state.failures, closedBackoff) : 0;
  return { ...state, problem, ...restFor(pauseMs, now) };
}

const badTriesAtMost = 5;
const repostsAtMost = 1;

/** A message that is gone is posted once more. Somebody who deletes it again means it: its owner is notified, and it is over. */
function afterDeletion(state: LiveState, code: string, now: number): LiveState {
  const { message: _, shown: _shown, ...others } = state;
  const deletions = (state.deletions ?? 0) + 1;
  return deletions <= repostsAtMost
    ? { ...others, deletions, ...restFor(0, now) }
    : withProblem({ ...others, deletions, isOver: true }, { code, isOwnerNotified: false }, now);
}

/** What a live message shows now, and where. */
export interface LiveMessage {
  to: { channelId: string } | { personId: string };
  announcement: Announcement;
  /** It does not change any more. */
  isFinal: boolean;
}

/** Reads what a live message shows. Undefined where there is nothing to show. */
export type LiveContent = (teamId: string, id: string) => Promise<LiveMessage | undefined>;

/** Read at once; all of them ask for the same. */
const entriesAtMost = 500;
/** Changes that fail for longer are given up, such as those in a channel that stays closed. */
const keptForMs = 7 * 24 * 3_600_000;

interface LiveFacts {
  /** `shows`: the fingerprint of the announcement. */
  live: (LiveMessage & { shows: string }) | undefined;
  turnAt: number | undefined;
  /** Where it is posted. */
  channelId: string | PlatformError;
  updated: PlatformError | undefined;
  /** Whether the owner knows why the message is not shown. False: that is tried again. */
  isOwnerNotified: boolean;
}

type FirstPost = PostDeed<NonNullable<LiveState['inFlight']>>;

/**
 * Keeps a message up to date: posts it once, then changes it in place, at most 30 times a minute. What it shows is read
 * after the entries that ask for it, so the last change always shows the last state. The first post is stored as in flight
 * before it is sent; where its answer is lost, the channel is asked for it. A message that people delete is posted once more.
 *
 * @param deps.pace that of all live messages together
 * @param deps.retentionMs as long as the campaigns that they show
 */
export function liveMachine(deps: {
  channel: Pick<AnnouncementChannel, 'post' | 'find' | 'update' | 'openDirect' | 'sendDirect' | 'fingerprint'>;
  content: LiveContent;
  pace: Pace;
  retentionMs: number;
  newId: () => string;
  log: Log;
}): Machine<LiveState, LiveFacts, FirstPost, PostAnswer> {
  const { channel, log } = deps;
  const postOnce = createPostOnce<unknown>(channel, (error) =>
    log[error.kind === 'rate_limited' ? 'warn' : 'error'](
      { error, code: error.code },
      `a live message is not up to date yet (${error.kind})`,
    ),
  );
  const attempt = <Answer>(call: () => Promise<Answer>) => postOnce.attempt(call, undefined);

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    keptAtRestMs: deps.retentionMs,
    isBusy: ({ inFlight, problem }) => inFlight !== undefined || problem?.isOwnerNotified === false,
    restsUntil: liveRestsUntil,
    step(view) {
      const { state = freshLiveState, mail, facts, now } = view;
      const { problem, message, inFlight } = state;
      if (problem?.isOwnerNotified === false) {
        if (facts.isOwnerNotified === undefined) return { kind: 'ask', for: 'isOwnerNotified' };
        return keep(afterTelling(state, facts.isOwnerNotified, now), []);
      }
      if (inFlight) return { kind: 'look', deed: { ...inFlight, inFlight } };
      const [first] = mail;
      if (first === undefined) return { kind: 'rest', until: undefined };
      if (state.isOver) return keep(state, mail);
      if (!('live' in facts)) return { kind: 'ask', for: 'live' };
      const { live } = facts;
      if (live === undefined) return keep(state, mail);
      if ((message !== undefined && live.shows === state.shown) || isTooOld(state, first.at, now))
        return keep({ ...state, isOver: live.isFinal }, mail);
      if (!('turnAt' in facts)) return { kind: 'ask', for: 'turnAt' };
      if (facts.turnAt !== undefined) return { kind: 'rest', until: facts.turnAt };

      if (message) {
        if (!('updated' in facts)) return { kind: 'ask', for: 'updated' };
        if (facts.updated) return failed(facts.updated, view);
        return keep(afterShown(state, { ...live, message }, now), mail);
      }
      const { channelId } = facts;
      if (channelId === undefined) return { kind: 'ask', for: 'channelId' };
      if (typeof channelId !== 'string') return failed(channelId, view);
      const post = { key: deps.newId(), channelId, startedAt: now, shows: live.shows };
      return {
        kind: 'do',
        deed: { ...post, inFlight: post, announcement: live.announcement },
        keep: keep({ ...state, inFlight: post }, []),
      };
    },
    facts: {
      async live({ mailbox: { teamId, id } }) {
        const live = await deps.content(teamId, id);
        return live && { ...live, shows: channel.fingerprint(live.announcement) };
      },
      turnAt: async ({ mailbox: { name } }) => deps.pace.turn(name),
      async channelId({ facts: { live } }) {
        const { to } = live!;
        return 'channelId' in to ? to.channelId : attempt(() => channel.openDirect(to.personId));
      },
      async updated({ state, facts: { live } }) {
        const { channelId, id } = state!.message!;
        const updated = await attempt(() => channel.update(channelId, id, live!.announcement));
        return updated instanceof PlatformError ? updated : undefined;
      },
      async isOwnerNotified({ mailbox: { teamId, id }, state }) {
        const live = await deps.content(teamId, id);
        return live === undefined || notifyOwner(live.announcement, state?.problem?.code ?? '');
      },
    },
    deeds: {
      do: postOnce.do,
      look: postOnce.look,
      settle(deed, answer, view) {
        const { state, facts, mail, now } = view;
        const { inFlight } = deed;
        const outcome = outcomeOfPost(deed, answer, now);
        switch (outcome.kind) {
          case 'posted': {
            const { messageId, isFound } = outcome;
            const message = { channelId: inFlight.channelId, id: messageId };
            const isFinal = !isFound && facts.live?.isFinal === true;
            // What asked for a post that may have arrived still waits.
            return keep(afterShown(state, { message, shows: inFlight.shows, isFinal }, now), isFound ? [] : mail);
          }
          case 'look again':
            return keep({ ...state, ...restFor(outcome.at - now, now) }, []);
          case 'not there':
            return keep({ ...state, inFlight: undefined }, []);
          default: {
            const mayBeThere = 'mayBeThere' in outcome && outcome.mayBeThere;
            return failed(outcome.error, { ...view, state: mayBeThere ? state : { ...state, inFlight: undefined } });
          }
        }
      },
    },
  };

  /** Tells the owner of a campaign why its message is not shown. @returns false where that is tried again */
  async function notifyOwner(announcement: Announcement, code: string): Promise<boolean> {
    if (announcement.kind !== 'campaign-board' && announcement.kind !== 'campaign-end') return true;
    const { id: campaignId, quiz, ownerId, rule } = announcement.campaign;
    const { board } = rule;
    if (board === null) return true;
    const { channelId } = board;
    const sent = await attempt(() =>
      channel.sendDirect(ownerId, {
        kind: 'campaign-channel-closed',
        campaignId,
        quizName: quiz.name,
        channelId,
        code,
      }),
    );
    return !(sent instanceof PlatformError) || sent.kind === 'closed';
  }
}

function isTooOld({ failures }: LiveState, at: number, now: number): boolean {
  return failures > 0 && now - at > keptForMs;
}

function keep(state: LiveState, done: View<LiveState>['mail']): Keep<LiveState> {
  return { kind: 'keep', state, take: done.map(({ position }) => position), at: state.notBefore };
}

function failed(failure: PlatformError, { state = freshLiveState, mail, now }: View<LiveState>): Keep<LiveState> {
  const next = afterLiveFailure(state, failure, now);
  return next.isOver ? keep(next, mail) : keep(next, []);
}
