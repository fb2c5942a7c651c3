import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { Announcement } from '../../domain/announcement.ts';
import type { PlatformError } from '../../domain/errors.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { Keep, Mailbox, Step } from '../../durable/machine.ts';
import { createPostOnce, outcomeOfPost, type PostAnswer, type PostDeed } from '../../durable/post-once.ts';
import { restFor } from '../../durable/rest.ts';
import type { Log } from '../../observability/log.ts';
import {
  afterBadMessage,
  afterFailure,
  afterGone,
  afterPosted,
  afterPostFailed,
  afterTooLong,
  threadIdOf,
  type ChannelState,
  type InFlightMessage,
} from './channel-state.ts';
import type { NextMessage } from './next-step.ts';

/** A message for a conversation, or the look for one that may be there. */
export interface AlertPost extends PostDeed<InFlightMessage> {
  /** The responses that it announces, each as `<quiz id>/<response id>`. */
  responses?: readonly string[];
}

export type PostNote =
  | { kind: 'posted' | 'found'; id: string; responses: readonly string[] }
  | { kind: 'set_aside'; entry: QueueEntry; error: PlatformError }
  | { kind: 'closed'; code: string };

/** How the log and the metrics speak of a conversation. */
interface Conversation {
  logged: Readonly<Record<string, string>>;
  count: (outcome: string) => void;
}

type Seen = { mailbox: Mailbox; state: ChannelState | undefined };

/** Posts messages of a conversation, each once, and decides on what came of it. */
export function createPosting(deps: {
  channel: Pick<AnnouncementChannel, 'post' | 'find'>;
  newId: () => string;
  of: (mailbox: Mailbox) => Conversation;
  log: Log;
}) {
  const { log } = deps;

  const postOnce = createPostOnce<Seen>(deps.channel, (error, { mailbox, state }) => {
    const { kind, code } = error;
    const { logged, count } = deps.of(mailbox);
    count(code);
    log[kind === 'rate_limited' || kind === 'too_long' ? 'warn' : 'error'](
      { error, ...logged, code, failures: (state?.failures ?? 0) + 1 },
      `an alert is not posted yet (${kind}); it is kept`,
    );
  });

  return {
    ...postOnce,
    begin(
      state: ChannelState,
      channelId: string,
      message: NextMessage,
      now: number,
    ): Step<ChannelState, object, AlertPost> {
      const { announcement, threadId, responses, positions, thread, isNotice, isList } = message;
      const inFlight: InFlightMessage = {
        id: deps.newId(),
        startedAt: now,
        positions,
        ...(thread && { thread }),
        ...(isNotice && { isNotice }),
        ...(isList && { isList }),
      };
      return {
        kind: 'do',
        deed: { channelId, key: inFlight.id, inFlight, threadId, announcement, responses },
        keep: { kind: 'keep', state: { ...state, inFlight } },
      };
    },
    lookFor(state: ChannelState, channelId: string, inFlight: InFlightMessage): Step<ChannelState, object, AlertPost> {
      const threadId = threadIdOf(inFlight);
      const after = threadId ?? state.lastMessageId;
      return { kind: 'look', deed: { channelId, key: inFlight.id, inFlight, threadId, after } };
    },
    note(note: PostNote, mailbox: Mailbox): void {
      const { logged, count } = deps.of(mailbox);
      switch (note.kind) {
        case 'posted':
          count('posted');
          return log.info({ ...logged, message: note.id, responses: note.responses }, 'alert posted');
        case 'found':
          count('found');
          return log.info({ ...logged, message: note.id }, 'the alert is in the channel already');
        case 'set_aside': {
          count('set_aside');
          const { content, subscriptionId: subscription } = note.entry;
          const about =
            'submission' in content
              ? { response: `${content.submission.quizId}/${content.submission.responseId}` }
              : {};
          return log.error(
            { error: note.error, ...logged, subscription, ...about },
            'an alert is set aside: it cannot be posted',
          );
        }
        case 'closed':
      }
    },
  };
}

/**
 * Decides on the answer to a post, or to the question whether a message is there.
 *
 * @param entries those that the message is about
 */
export function settlePost(
  deed: AlertPost,
  answer: PostAnswer | undefined,
  { state: stored, now }: { state: ChannelState; now: number },
  entries: readonly QueueEntry[],
): Keep<ChannelState, PostNote> {
  const { inFlight, announcement, responses = [] } = deed;
  const { inFlight: _, ...settled } = stored;
  const outcome = outcomeOfPost(deed, answer, now);
  switch (outcome.kind) {
    case 'posted':
      return {
        ...resting(afterPosted(stored, inFlight, outcome.messageId, now)),
        take: inFlight.positions,
        note: { kind: outcome.isFound ? 'found' : 'posted', id: inFlight.id, responses },
      };
    case 'look again':
      return resting({ ...stored, ...restFor(outcome.at - now, now) });
    case 'not there':
      return resting(afterGone(stored));
    case 'closed': {
      const { error, mayBeThere } = outcome;
      const next = afterFailure(mayBeThere ? stored : settled, error, now);
      return { ...resting(next), note: { kind: 'closed', code: error.code } };
    }
    case 'too long':
      return resting(afterTooLong(settled, lengthOf(announcement!, inFlight), now));
    case 'bad':
      return keepBad(settled, entries, outcome.error, now);
    case 'failed':
      return resting(
        outcome.mayBeThere
          ? afterFailure({ ...stored, inFlight }, outcome.error, now)
          : afterPostFailed(settled, inFlight, outcome.error, now),
      );
  }
}

/** A message that fails for what is in it never holds up the entries after it for long. */
function keepBad(
  state: ChannelState,
  entries: readonly QueueEntry[],
  error: PlatformError,
  now: number,
): Keep<ChannelState, PostNote> {
  const next = afterBadMessage(
    state,
    entries.map(({ position }) => position),
    now,
  );
  const [entry] = entries;
  return next.isDropped && entry !== undefined
    ? { ...resting(next.state), take: [entry.position], note: { kind: 'set_aside', entry, error } }
    : resting(next.state);
}

/** Keeps a state, and runs again when its pause is over. */
export function resting(state: ChannelState): Keep<ChannelState, PostNote> {
  return { kind: 'keep', state, at: state.notBefore };
}

/** The number of items in a message, and the last entry that it is about. */
function lengthOf(announcement: Announcement, { positions }: InFlightMessage): { items: number; until: number } {
  return { items: 'items' in announcement ? announcement.items.length : 1, until: Math.max(...positions) };
}
