import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { ListAnnouncement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { Machine, Mailbox } from '../../durable/machine.ts';
import type { PostAnswer } from '../../durable/post-once.ts';
import { restsUntil } from '../../durable/rest.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import {
  afterRefreshed,
  afterRefreshFailed,
  freshState,
  isBusy,
  isPostedAlone,
  type ChannelState,
} from './channel-state.ts';
import { pausedIn, stepBeforeEntries, stepForEntries, type QueueView } from './next-step.ts';
import { createPosting, resting, settlePost, type AlertPost, type PostNote } from './posting.ts';

/** Read for one message. */
const entriesAtMost = 500;

interface ChannelFacts {
  /** Those of the channel. */
  subscriptions: readonly Subscription[];
  /** The same, read again: somebody may have subscribed since the first read. */
  subscriptionsNow: readonly Subscription[];
  /** Of the head of the thread that shows too little. */
  refreshed: PlatformError | undefined;
}

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
}): Machine<ChannelState, ChannelFacts, AlertPost, PostAnswer, PostNote> {
  const { channel, metrics } = deps;
  const posting = createPosting({
    ...deps,
    of: ({ id }) => ({ logged: { channel: id }, count: (outcome) => metrics.alerts.inc({ outcome }) }),
  });
  const subscriptionsOf = async ({ mailbox: { teamId, id } }: { mailbox: Mailbox }) =>
    (await deps.subscriptions(teamId)).filter(({ channelId }) => channelId === id);
  const viewOf = ({ state = freshState, facts: { subscriptions = [] }, now }: ChannelView): QueueView => ({
    state,
    subscriptions,
    now,
  });

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    restsUntil,
    first: ['subscriptions'],
    passesOver: (view) => pausedIn(viewOf(view)).map(({ id }) => id),
    isBusy,
    step(seen) {
      const { mailbox, facts, now } = seen;
      const view = viewOf(seen);
      const { state } = view;
      const entries = aloneOrAll(state, seen.mail);
      const step = stepBeforeEntries(view) ?? stepForEntries(view, entries, countFitting);
      switch (step.kind) {
        case 'wait':
          return { kind: 'rest', until: step.until };
        case 'resolve-uncertain':
          return posting.lookFor(state, mailbox.id, step.inFlight);
        case 'refresh':
          if (!('refreshed' in facts)) return { kind: 'ask', for: 'refreshed' };
          return resting(
            facts.refreshed === undefined
              ? afterRefreshed(state, step.key, step.thread, now)
              : afterRefreshFailed(state, step.key, facts.refreshed, now),
          );
        case 'discard': {
          const { subscriptionsNow } = facts;
          if (subscriptionsNow === undefined) return { kind: 'ask', for: 'subscriptionsNow' };
          const isOrphan = ({ subscriptionId }: QueueEntry) =>
            !subscriptionsNow.some(({ id }) => id === subscriptionId);
          return { kind: 'keep', state, take: step.orphans.filter(isOrphan).map(({ position }) => position) };
        }
        case 'post':
          return posting.begin(state, mailbox.id, step.message, now);
      }
    },
    facts: {
      subscriptions: subscriptionsOf,
      subscriptionsNow: subscriptionsOf,
      async refreshed(seen) {
        const view = viewOf(seen);
        const step = stepBeforeEntries(view) ?? stepForEntries(view, aloneOrAll(view.state, seen.mail), countFitting);
        if (step.kind !== 'refresh') return undefined;
        const { messageId = '' } = step.thread;
        const updated = await posting.attempt(
          () => channel.update(seen.mailbox.id, messageId, { kind: 'thread-head', counts: step.thread }),
          seen,
        );
        return updated instanceof PlatformError ? updated : undefined;
      },
    },
    deeds: {
      do: posting.do,
      look: posting.look,
      settle: (deed, answer, seen) => settlePost(deed, answer, seen, aloneOrAll(seen.state, seen.mail)),
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

type ChannelView = Parameters<Machine<ChannelState, ChannelFacts>['step']>[0];

/** The first entry where it is posted alone, otherwise all. */
export function aloneOrAll(state: ChannelState, entries: readonly QueueEntry[]): readonly QueueEntry[] {
  const [first] = entries;
  return first && isPostedAlone(state, first.position) ? [first] : entries;
}
