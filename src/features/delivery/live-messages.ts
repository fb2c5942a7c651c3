import { PlatformError } from '../../domain/errors.ts';
import { restFor, type Keep, type Machine, type Mailbox, type View } from '../../durable/machine.ts';
import {
  afterCall,
  afterFailure,
  afterTelling,
  createPoster,
  isClosed,
  isRefusedFor,
  lookFor,
  post,
  postingRestsUntil,
  settlePost,
  withProblem,
  type PostAnswer,
  type PostDeed,
  type Posting,
} from '../../durable/posting.ts';
import { backoffMs, type Pace } from '../../time/timers.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel, LiveMessage } from '../../operations/services/platform.ts';

/** What the queue of a live message stores beside its entries. */
export interface LiveState extends Posting<{ channelId: string; shows: string }> {
  /** Undefined until the message is posted. */
  message?: { channelId: string; id: string } | undefined;
  /** The fingerprint of what the message shows. */
  shown?: string | undefined;
  /** How often people deleted it. */
  deletions?: number;
  /** The message shows its final state, or there is none any more. */
  isOver?: boolean;
}

const freshLiveState: LiveState = { failures: 0, notBefore: 0 };

/** 30 changes a minute. */
const changePauseMs = 2_000;
const closedBackoff = { firstMs: 60_000, longestMs: 3_600_000 };
const badTriesAtMost = 5;
const repostsAtMost = 1;

/** The state after a call that failed; `isOver` where trying again does not help. */
function afterLiveFailure(state: LiveState, error: PlatformError, now: number): LiveState {
  if (error.kind === 'thread_gone') return afterDeletion(state, error, now);
  const next = afterFailure(state, error, now);
  if (isClosed(error))
    return withProblem(
      { ...next, isOver: false, ...restFor(backoffMs(next.failures, closedBackoff), now) },
      error,
      now,
    );
  return { ...next, isOver: isRefusedFor(error) && next.failures >= badTriesAtMost };
}

/** A message that is gone is posted once more. Somebody who deletes it again means it: its owner is notified, and it is over. */
function afterDeletion(state: LiveState, error: PlatformError, now: number): LiveState {
  const deletions = (state.deletions ?? 0) + 1;
  const gone = { ...state, message: undefined, shown: undefined, deletions, ...restFor(0, now) };
  return deletions <= repostsAtMost ? gone : withProblem({ ...gone, isOver: true }, error, now);
}

/** Reads what a live message shows. Undefined where there is nothing to show. */
export type LiveContent = (teamId: string, id: string) => Promise<LiveMessage | undefined>;

/** `isFinal`: of what is posted. */
type LiveDeed = PostDeed<LiveState> & { isFinal?: boolean };

/** Read at once; all of them ask for the same. */
const entriesAtMost = 500;
/** Changes that fail for longer are given up, such as those in a channel that stays closed. */
const keptForMs = 7 * 24 * 3_600_000;

/**
 * Keeps a message up to date: posts it once, then changes it in place, at most 30 times a minute. What it shows is read
 * after the entries that ask for it, so the last change always shows the last state. The first post is stored as in flight
 * before it is sent; where its answer is lost, the channel is asked for it. A message that people delete is posted once more.
 *
 * @param deps.pace that of all live messages together
 * @param deps.retentionMs as long as the campaigns that they show
 */
export function liveMachine(deps: {
  channel: Pick<
    AnnouncementChannel,
    'closedReason' | 'post' | 'find' | 'update' | 'openDirect' | 'sendDirect' | 'fingerprint'
  >;
  content: LiveContent;
  pace: Pace;
  retentionMs: number;
  newId: () => string;
  log: Log;
}): Machine<LiveState, LiveDeed, PostAnswer> {
  const { channel, log } = deps;
  const poster = createPoster<unknown>(channel, (error) =>
    log[error.kind === 'rate_limited' ? 'warn' : 'error'](
      { error, code: error.code },
      `a live message is not up to date yet (${error.kind})`,
    ),
  );
  const attempt = <Answer>(call: () => Promise<Answer>) => poster.attempt(call, undefined);

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    keptAtRestMs: deps.retentionMs,
    isBusy: ({ inFlight, problem }) => inFlight !== undefined || problem?.isTold === false,
    restsUntil: postingRestsUntil,
    async step(view) {
      const { state = freshLiveState, mail, mailbox } = view;
      const { problem, message, inFlight } = state;
      if (problem?.isTold === false) {
        const isTold = await tellWhy(mailbox, problem.code);
        const pauseMs = isTold && state.isOver ? 0 : backoffMs(state.failures, closedBackoff);
        return keep(afterTelling(state, isTold, pauseMs, view.now), []);
      }
      if (inFlight) return lookFor(state, { channelId: inFlight.channelId });
      const [first] = mail;
      if (first === undefined) return { kind: 'rest', until: undefined };
      if (state.isOver) return keep(state, mail);
      const live = await deps.content(mailbox.teamId, mailbox.id);
      if (live === undefined) return keep(state, mail);
      const shows = channel.fingerprint(live.announcement);
      const isShown = message !== undefined && shows === state.shown && !mail.some(isAnew);
      if (isShown || isTooOld(state, first.at, view.now)) return keep({ ...state, isOver: live.isFinal }, mail);
      const turnAt = deps.pace.turn(mailbox.name);
      if (turnAt !== undefined) return { kind: 'rest', until: turnAt };

      if (message) {
        const updated = await attempt(() => channel.update(message.channelId, message.id, live.announcement));
        if (updated instanceof PlatformError) return failed(updated, view);
        return keep(shownIn(afterCall(state, view.now), { ...live, shows, message }, view.now), mail);
      }
      const { to, announcement, isFinal } = live;
      const channelId = 'channelId' in to ? to.channelId : await attempt(() => channel.openDirect(to.personId));
      if (typeof channelId !== 'string') return failed(channelId, view);
      const shown = { id: deps.newId(), startedAt: view.now, channelId, shows };
      const posted = post(state, { channelId, inFlight: shown, announcement });
      return { ...posted, deed: { ...posted.deed, isFinal } };
    },
    deeds: {
      do: poster.do,
      look: poster.look,
      settle(deed, answer, view) {
        const { mail, now } = view;
        const { channelId, shows } = deed.inFlight;
        const { state, outcome } = settlePost(view.state, deed, answer, now);
        if (outcome.kind === 'unknown') return keep(state, []);
        if (outcome.kind !== 'posted')
          return failed(outcome.error, { ...view, state: { ...view.state, inFlight: state.inFlight } });
        const { messageId, isFound } = outcome;
        const isFinal = !isFound && deed.isFinal === true;
        const shown = shownIn(state, { message: { channelId, id: messageId }, shows, isFinal }, now);
        // What asked for a post that may have arrived still waits.
        return keep(shown, isFound ? [] : mail);
      },
    },
  };

  /** Tells the owner why the message is not shown. @returns false where that is tried again */
  async function tellWhy({ teamId, id }: Mailbox, code: string): Promise<boolean> {
    const { whenClosed } = (await deps.content(teamId, id)) ?? {};
    if (whenClosed === undefined) return true;
    const notice = { kind: 'note', note: whenClosed.note(channel.closedReason(code)) } as const;
    const sent = await attempt(() => channel.sendDirect(whenClosed.personId, notice));
    return !(sent instanceof PlatformError) || sent.kind === 'closed';
  }
}

/** The state after the message shows what has this fingerprint. */
function shownIn(
  state: LiveState,
  { message, shows, isFinal }: { message: NonNullable<LiveState['message']>; shows: string; isFinal: boolean },
  now: number,
): LiveState {
  return { ...state, message, shown: shows, isOver: isFinal, ...restFor(changePauseMs, now) };
}

function isAnew({ content }: View<LiveState>['mail'][number]): boolean {
  return content.kind === 'refresh' && content.isAnew === true;
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
