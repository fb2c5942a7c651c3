import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { ListAnnouncement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { QueueEntry } from '../../domain/queues.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { resting, type Machine, type Mailbox, type View } from '../../durable/machine.ts';
import { lookFor, post, postingRestsUntil, settlePost, type PostAnswer, type PostDeed } from '../../durable/posting.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import {
  afterRefreshed,
  afterRefreshFailed,
  freshState,
  isBusy,
  threadIdOf,
  threadsAfter,
  withoutThread,
  type ChannelState,
  pausedIn,
  stepBeforeEntries,
  stepForEntries,
  type QueueView,
} from './next-step.ts';
import { createPosting, keepPosted, type PostNote } from './posting.ts';

/** Read for one message. */
const entriesAtMost = 500;

/**
 * Posts what waits for a channel: in order, at most one message a second, each once. A message is stored as in flight
 * before it is posted. Where its answer is lost, the channel is asked for it, for 40 seconds, before anything else is posted.
 */
export function channelMachine(deps: {
  channel: AnnouncementChannel;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  /** Called when the platform does not let the bot post in the channel. */
  onClosed: (teamId: string, channelId: string, code: string) => Promise<void>;
  newId: () => string;
  log: Log;
  metrics: Metrics;
}): Machine<ChannelState, PostDeed<ChannelState>, PostAnswer, PostNote, readonly Subscription[]> {
  const { channel, metrics } = deps;
  const posting = createPosting({
    ...deps,
    of: ({ id }) => ({ logged: { channel: id }, count: (outcome) => metrics.alerts.inc({ outcome }) }),
  });
  const subscriptionsOf = async ({ mailbox: { teamId, id } }: { mailbox: Mailbox }) =>
    (await deps.subscriptions(teamId)).filter(({ channelId }) => channelId === id);
  const viewOf = ({ state = freshState, first: subscriptions, now }: ChannelView): QueueView => ({
    state,
    subscriptions,
    now,
  });

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    restsUntil: postingRestsUntil,
    first: subscriptionsOf,
    passesOver: (view) => pausedIn(viewOf(view)).map(({ id }) => id),
    isBusy,
    async step(seen) {
      const { mailbox } = seen;
      const view = viewOf(seen);
      const { state } = view;
      const channelId = mailbox.id;
      const step = stepBeforeEntries(view) ?? stepForEntries(view, seen.mail, countFitting);
      switch (step.kind) {
        case 'wait':
          return { kind: 'rest', until: step.until };
        case 'resolve-uncertain':
          return lookFor(state, { channelId, threadId: threadIdOf(step.inFlight) });
        case 'refresh': {
          const { key, thread } = step;
          const shown = { kind: 'thread-head', counts: thread } as const;
          const refused = await posting.attempt(() => channel.update(channelId, thread.messageId ?? '', shown), seen);
          return resting(
            refused instanceof PlatformError
              ? afterRefreshFailed(state, key, refused, seen.now)
              : afterRefreshed(state, key, thread, seen.now),
          );
        }
        case 'discard': {
          // Somebody may have subscribed since they were read.
          const subscriptionsNow = await subscriptionsOf(seen);
          const isOrphan = ({ subscriptionId }: QueueEntry) =>
            !subscriptionsNow.some(({ id }) => id === subscriptionId);
          return { kind: 'keep', state, take: step.orphans.filter(isOrphan).map(({ position }) => position) };
        }
        case 'post': {
          const { announcement, threadId, positions, thread } = step.message;
          const inFlight = { id: deps.newId(), startedAt: seen.now, positions, thread };
          return post(state, { channelId, inFlight, threadId, announcement });
        }
      }
    },
    deeds: {
      do: posting.do,
      look: posting.look,
      settle(deed, answer, seen) {
        const { inFlight } = deed;
        const { state, outcome } = settlePost(seen.state, deed, answer, seen.now);
        const threads = outcome.kind === 'posted' && threadsAfter(state, inFlight, outcome.messageId, seen.now);
        const isThreadGone = outcome.kind === 'failed' && outcome.error.kind === 'thread_gone';
        const kept = isThreadGone && inFlight.thread ? withoutThread(state, inFlight.thread.key) : state;
        return keepPosted({ state: threads ? { ...kept, threads } : kept, outcome }, deed, seen);
      },
    },
    async note(note, { mailbox: { teamId, id }, mailbox }) {
      posting.note(note, mailbox);
      if (note.kind === 'closed') await deps.onClosed(teamId, id, note.code);
    },
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

type ChannelView = View<ChannelState, readonly Subscription[]>;
