import { canBeShorter, type Announcement, type ListAnnouncement } from '../domain/announcement.ts';
import { PlatformError } from '../domain/errors.ts';
import type { QueueEntry } from '../domain/queue-entry.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Outbox } from '../storage/storage.ts';
import type { AnnouncementChannel } from './announcement-channel.ts';
import {
  afterBadMessage,
  afterFailure,
  afterGone,
  afterNotFound,
  afterPosted,
  afterPostFailed,
  afterRefreshed,
  afterRefreshFailed,
  afterTooLong,
  freshState,
  isBusy,
  isPostedAlone,
  restsUntil,
  threadIdOf,
  type ChannelState,
  type InFlightMessage,
  type Thread,
} from './channel-state.ts';
import { pausedIn, stepBeforeEntries, stepForEntries, type NextMessage } from './next-step.ts';
import { readQueue } from '../domain/queue-names.ts';

/** Read for one message. */
const entriesAtMost = 500;

/** A conversation, and what happens to it. */
export interface Conversation {
  id: string;
  /** Identifies it in the log. */
  logged: Readonly<Record<string, string>>;
  count: (outcome: string) => void;
  /** The platform does not let the bot post in it. */
  onClosed: (code: string) => Promise<void>;
}

/** The state of a queue that a run begins from. */
interface RunOf {
  queue: string;
  version: number;
  state: ChannelState;
}

/**
 * Posts what waits for a channel: in order, at most one message a second, each once. A message is stored as in flight
 * before it is posted. Where its answer is lost, the channel is asked for it, for 40 seconds, before anything else is posted.
 */
export function createChannelQueue(deps: {
  outbox: Outbox;
  channel: AnnouncementChannel;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  /** Called when the platform does not let the bot post in the channel. */
  onClosed: (teamId: string, channelId: string, code: string) => Promise<void>;
  newId: () => string;
  log: Log;
  metrics: Metrics;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, channel, metrics, now } = deps;
  const createRun = createRuns(deps);

  /** Does one step. @returns when to run again (milliseconds since the epoch); undefined: when something new comes */
  return async (queue) => {
    const { teamId, id: channelId } = readQueue(queue);
    const { version, state = freshState } = await outbox.stateOf<ChannelState>(queue);
    const restingUntil = restsUntil(state, now());
    if (restingUntil !== undefined) return restingUntil;

    const subscriptions = async () =>
      (await deps.subscriptions(teamId)).filter((subscription) => subscription.channelId === channelId);
    const view = { state, subscriptions: await subscriptions(), now: now() };
    const readEntries = async () =>
      outbox.waiting(queue, { limit: entriesAtMost, exceptSubscriptions: pausedIn(view).map(({ id }) => id) });
    const early = stepBeforeEntries(view);
    const entries = early ? [] : aloneOrAll(state, await readEntries());
    const step = early ?? stepForEntries(view, entries, countFitting);
    const conversation: Conversation = {
      id: channelId,
      logged: { channel: channelId },
      count: (outcome) => metrics.alerts.inc({ outcome }),
      onClosed: async (code) => deps.onClosed(teamId, channelId, code),
    };
    const run = createRun({ queue, version, state }, conversation);
    switch (step.kind) {
      case 'wait':
        return step.until;
      case 'resolve-uncertain':
        return run.resolveUncertain(step.inFlight);
      case 'refresh':
        return run.refresh(step.key, step.thread);
      case 'discard':
        return run.discard(step.orphans, await subscriptions());
      case 'post':
        return run.post(step.message, entries);
    }
  };

  /** All items where the message cannot be made: then its post fails. */
  function countFitting(list: ListAnnouncement): number {
    try {
      return channel.countFitting(list);
    } catch {
      return list.items.length;
    }
  }
}

/** Makes the steps of one run of a conversation's queue, all of them on one version of the queue's state. */
export function createRuns(deps: {
  outbox: Pick<Outbox, 'commit'>;
  channel: Pick<AnnouncementChannel, 'post' | 'find' | 'update'>;
  newId: () => string;
  log: Log;
  now: () => number;
}) {
  const { outbox, channel, log, now } = deps;

  return ({ queue, version, state }: RunOf, { id: channelId, logged, count, onClosed }: Conversation) => {
    let currentVersion = version;

    /** @returns false where another run has changed the state meanwhile */
    async function keep(next: ChannelState, remove?: readonly number[]): Promise<boolean> {
      const isKept = await outbox.commit(queue, {
        version: currentVersion,
        state: next,
        isBusy: isBusy(next),
        ...(remove && { remove }),
      });
      currentVersion += 1;
      return isKept;
    }

    async function keepAndRest(next: ChannelState, remove?: readonly number[]): Promise<number> {
      await keep(next, remove);
      return next.notBefore;
    }

    async function post(
      { announcement, positions, responses, threadId, thread, digest, isNotice }: NextMessage,
      entries: readonly QueueEntry[],
    ): Promise<number> {
      const inFlight: InFlightMessage = {
        id: deps.newId(),
        startedAt: now(),
        positions,
        ...(thread && { thread }),
        ...(digest && { digest }),
        ...(isNotice && { isNotice }),
      };
      if (!(await keep({ ...state, inFlight }))) return now();
      const posted = await attempt(() => channel.post(channelId, announcement, { key: inFlight.id, threadId }));
      if (!(posted instanceof PlatformError)) {
        count('posted');
        log.info({ ...logged, message: inFlight.id, responses }, 'alert posted');
        return keepAndRest(afterPosted(state, inFlight, posted, now()), positions);
      }
      if (posted.kind === 'too_long' && canBeShorter(announcement))
        return keepAndRest(afterTooLong(state, lengthOf(announcement, inFlight), now()));
      if (posted.kind === 'too_long' || posted.kind === 'bad_message') return keepBad(entries, posted);
      if (posted.kind !== 'closed') return keepAndRest(afterPostFailed(state, inFlight, posted, now()));
      await keep(state);
      await onClosed(posted.code);
      return now();
    }

    /** A message that fails for what is in it never holds up the entries after it for long. */
    async function keepBad(entries: readonly QueueEntry[], error: PlatformError): Promise<number> {
      const next = afterBadMessage(
        state,
        entries.map(({ position }) => position),
        now(),
      );
      const [entry] = entries;
      if (!next.isDropped || entry === undefined) return keepAndRest(next.state);
      count('set_aside');
      const { content } = entry;
      const about =
        'submission' in content ? { response: `${content.submission.quizId}/${content.submission.responseId}` } : {};
      log.error(
        { error, ...logged, subscription: entry.subscriptionId, ...about },
        'an alert is set aside: it cannot be posted',
      );
      return keepAndRest(next.state, [entry.position]);
    }

    async function resolveUncertain(inFlight: InFlightMessage): Promise<number | undefined> {
      const { id, positions } = inFlight;
      const threadId = threadIdOf(state, inFlight);
      const found = await attempt(() =>
        channel.find(channelId, id, { threadId, after: threadId ?? state.lastMessageId }),
      );
      if (found === undefined) return keepAndRest(afterNotFound(state, now()));
      if (!(found instanceof PlatformError)) {
        count('found');
        log.info({ ...logged, message: id }, 'the alert is in the channel already');
        return keepAndRest(afterPosted(state, inFlight, found, now()), positions);
      }
      if (found.kind === 'thread_gone' || found.kind === 'bad_message') return keepAndRest(afterGone(state));
      if (found.kind !== 'closed') return keepAndRest(afterFailure(state, found, now()));
      await onClosed(found.code);
      return undefined;
    }

    async function refresh(key: string, thread: Thread): Promise<number> {
      const { messageId = '' } = thread;
      const updated = await attempt(() =>
        channel.update(channelId, messageId, { kind: 'thread-head', counts: thread }),
      );
      return keepAndRest(
        updated instanceof PlatformError
          ? afterRefreshFailed(state, key, updated, now())
          : afterRefreshed(state, key, thread, now()),
      );
    }

    /** @param current the subscriptions read again: somebody may have subscribed since the first read */
    async function discard(orphans: readonly QueueEntry[], current: readonly Subscription[]): Promise<number> {
      const isOrphan = ({ subscriptionId }: QueueEntry) => !current.some(({ id }) => id === subscriptionId);
      await keep(
        state,
        orphans.filter(isOrphan).map(({ position }) => position),
      );
      return now();
    }

    /** @returns the error of a call that the platform failed, or of a message that could not be made */
    async function attempt<Answer>(call: () => Promise<Answer>): Promise<Answer | PlatformError> {
      try {
        return await call();
      } catch (cause) {
        // Calls fail with a PlatformError: anything else is a fault of the bot's own in making the message.
        const error =
          cause instanceof PlatformError ? cause : new PlatformError('unforeseen', { kind: 'bad_message', cause });
        const { kind, code } = error;
        count(code);
        const details = { error, ...logged, code, failures: state.failures + 1 };
        log[kind === 'rate_limited' || kind === 'too_long' ? 'warn' : 'error'](
          details,
          `an alert is not posted yet (${kind}); it is kept`,
        );
        return error;
      }
    }

    return { post, resolveUncertain, refresh, discard, keepAndRest };
  };
}

/** The number of items in a message, and the last entry that it is about. */
function lengthOf(
  announcement: Announcement,
  { positions, digest }: InFlightMessage,
): { items: number; until: number } {
  return {
    items: 'items' in announcement ? announcement.items.length : 1,
    until: Math.max(...positions, digest?.position ?? 0),
  };
}

/** The first entry where it is posted alone, otherwise all. */
export function aloneOrAll(state: ChannelState, entries: readonly QueueEntry[]): readonly QueueEntry[] {
  const [first] = entries;
  return first && isPostedAlone(state, first.position) ? [first] : entries;
}
