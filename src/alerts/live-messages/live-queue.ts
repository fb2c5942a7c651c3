import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { readQueue } from '../../domain/queue-names.ts';
import type { Log } from '../../observability/log.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { AnnouncementChannel } from '../announcement-channel.ts';
import { nextLookAt } from '../uncertain.ts';
import type { Pace } from '../direct-messages/pace.ts';
import { afterLiveFailure, afterShown, freshLiveState, liveRestsUntil, type LiveState } from './live-state.ts';

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

/**
 * Keeps a message up to date: posts it once, then changes it in place, at most 30 times a minute. What it shows is read
 * after the entries that ask for it, so the last change always shows the last state. The first post is stored as in flight
 * before it is sent; where its answer is lost, the channel is asked for it.
 *
 * @param deps.pace that of all live messages together
 */
export function createLiveQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  channel: Pick<AnnouncementChannel, 'post' | 'find' | 'update' | 'openDirect' | 'sendDirect' | 'fingerprint'>;
  content: LiveContent;
  pace: Pace;
  newId: () => string;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, channel, log, now } = deps;

  /** Does one step. @returns when to run again (milliseconds since the epoch); undefined: when something new comes */
  return async (queue) => {
    const { teamId, id } = readQueue(queue);
    const { version, state = freshLiveState } = await outbox.stateOf<LiveState>(queue);
    const restingUntil = liveRestsUntil(state, now());
    if (restingUntil !== undefined) return restingUntil;
    if (state.inFlight) return resolveUncertain({ queue, version, state }, state.inFlight);
    const entries = await outbox.waiting(queue, { limit: entriesAtMost });
    const [entry] = entries;
    if (entry === undefined) return undefined;
    const run: Run = { queue, version, state, positions: entries.map(({ position }) => position) };
    const live = state.isOver ? undefined : await deps.content(teamId, id);
    if (live === undefined) return done(run, state);
    const shows = channel.fingerprint(live.announcement);
    const isShown = state.message !== undefined && shows === state.shown;
    if (isShown || isTooOld(state, entry.at)) return done(run, { ...state, isOver: live.isFinal });
    return (
      deps.pace.turn(queue) ??
      (state.message ? update(run, state.message, { ...live, shows }) : post(run, { ...live, shows }))
    );
  };

  function isTooOld({ failures }: LiveState, at: number): boolean {
    return failures > 0 && now() - at > keptForMs;
  }

  async function post(run: Run, { to, announcement, shows, isFinal }: Shown): Promise<number | undefined> {
    const { queue, version, state } = run;
    const channelId = 'channelId' in to ? to.channelId : await attempt(() => channel.openDirect(to.personId));
    if (channelId instanceof PlatformError) return failed(run, channelId, announcement);
    const inFlight = { key: deps.newId(), channelId, startedAt: now(), shows };
    if (!(await outbox.commit(queue, { version, state: { ...state, inFlight }, isBusy: true }))) return now();
    const stored = { ...run, version: version + 1 };
    const posted = await attempt(() => channel.post(channelId, announcement, { key: inFlight.key }));
    if (!(posted instanceof PlatformError))
      return done(stored, afterShown(state, { message: { channelId, id: posted }, shows, isFinal }, now()));
    return failed(
      posted.kind === 'unclear' ? { ...stored, state: { ...state, inFlight } } : stored,
      posted,
      announcement,
    );
  }

  async function update(
    run: Run,
    message: NonNullable<LiveState['message']>,
    { announcement, shows, isFinal }: Shown,
  ): Promise<number | undefined> {
    const updated = await attempt(() => channel.update(message.channelId, message.id, announcement));
    if (updated instanceof PlatformError) return failed(run, updated, announcement);
    return done(run, afterShown(run.state, { message, shows, isFinal }, now()));
  }

  /** Asks the channel for a message whose answer was lost. What asked for it still waits in the queue. */
  async function resolveUncertain(
    { queue, version, state }: Omit<Run, 'positions'>,
    { key, channelId, startedAt, shows }: NonNullable<LiveState['inFlight']>,
  ): Promise<number | undefined> {
    const found = await attempt(() => channel.find(channelId, key, {}));
    const againAt = found === undefined ? nextLookAt(startedAt, now()) : undefined;
    const isThere = !(found instanceof PlatformError) && found !== undefined;
    const mayTryAgain =
      found instanceof PlatformError && !['thread_gone', 'bad_message', 'closed'].includes(found.kind);
    const next = isThere
      ? afterShown(state, { message: { channelId, id: found }, shows, isFinal: false }, now())
      : mayTryAgain
        ? afterLiveFailure(state, found, now())
        : againAt === undefined
          ? { ...state, inFlight: undefined }
          : { ...state, notBefore: againAt };
    await outbox.commit(queue, { version, state: next, isBusy: next.inFlight !== undefined });
    return Math.max(now(), next.notBefore);
  }

  async function done({ queue, version, positions }: Run, state: LiveState): Promise<number | undefined> {
    await outbox.commit(queue, { version, state, isBusy: false, remove: positions });
    return now();
  }

  async function failed(run: Run, failure: PlatformError, announcement: Announcement): Promise<number | undefined> {
    const { queue, version } = run;
    const state = afterLiveFailure(run.state, failure, now());
    if (state.isOver) return done(run, state);
    const isOwnerNotified =
      state.isOwnerNotified === true || (failure.kind === 'closed' && (await notifyOwner(announcement, failure.code)));
    await outbox.commit(queue, { version, state: { ...state, isOwnerNotified }, isBusy: state.inFlight !== undefined });
    return state.notBefore;
  }

  /** Tells the owner of a campaign that its channel is closed to the bot. @returns false where that is tried again */
  async function notifyOwner(announcement: Announcement, code: string): Promise<boolean> {
    if (announcement.kind !== 'campaign-board' && announcement.kind !== 'campaign-end') return true;
    const { id: campaignId, quiz, ownerId, board } = announcement.campaign;
    if (board === null) return true;
    const sent = await attempt(() =>
      channel.sendDirect(ownerId, {
        kind: 'campaign-channel-closed',
        campaignId,
        quizName: quiz.name,
        channelId: board.channelId,
        code,
      }),
    );
    return !(sent instanceof PlatformError) || sent.kind === 'closed';
  }

  /** @returns the error of a call that the platform failed, or of a message that could not be made */
  async function attempt<Answer>(call: () => Promise<Answer>): Promise<Answer | PlatformError> {
    try {
      return await call();
    } catch (cause) {
      const error =
        cause instanceof PlatformError ? cause : new PlatformError('unforeseen', { kind: 'bad_message', cause });
      log[error.kind === 'rate_limited' ? 'warn' : 'error'](
        { error, code: error.code },
        `a live message is not up to date yet (${error.kind})`,
      );
      return error;
    }
  }
}

/** The state of a queue that a run begins from, and the entries that the run answers. */
interface Run {
  queue: string;
  version: number;
  state: LiveState;
  positions: readonly number[];
}

/** `shows`: the fingerprint of the announcement. */
interface Shown extends LiveMessage {
  shows: string;
}
