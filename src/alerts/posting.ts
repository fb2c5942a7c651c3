import { canBeShorter, type Announcement } from '../domain/announcement.ts';
import { PlatformError } from '../domain/errors.ts';
import type { QueueEntry } from '../domain/queue-entry.ts';
import type { Keep, Mailbox, Step } from '../durable/machine.ts';
import type { Log } from '../observability/log.ts';
import type { AnnouncementChannel } from './announcement-channel.ts';
import {
  afterBadMessage,
  afterFailure,
  afterGone,
  afterNotFound,
  afterPosted,
  afterPostFailed,
  afterTooLong,
  threadIdOf,
  type ChannelState,
  type InFlightMessage,
} from './channel-state.ts';
import type { NextMessage } from './next-step.ts';

/** A message that is posted once. */
export interface PostDeed {
  channelId: string;
  inFlight: InFlightMessage;
  /** Undefined for a message that may be in the channel already. */
  message?: NextMessage;
}

/** The id of the message, or why there is none. */
export type PostAnswer = string | PlatformError;

export type PostNote =
  | { kind: 'posted' | 'found'; id: string; responses: readonly string[] }
  | { kind: 'set_aside'; entry: QueueEntry; error: PlatformError }
  | { kind: 'closed'; code: string };

/** How the log and the metrics speak of a conversation. */
export interface Conversation {
  logged: Readonly<Record<string, string>>;
  count: (outcome: string) => void;
}

/** Posts messages of a conversation, each once, and decides on what came of it. */
export function createPosting(deps: {
  channel: Pick<AnnouncementChannel, 'post' | 'find'>;
  newId: () => string;
  of: (mailbox: Mailbox) => Conversation;
  log: Log;
}) {
  const { channel, log } = deps;

  /** @returns the error of a call that the platform failed, or of a message that could not be made */
  async function attempt<Answer>(
    call: () => Promise<Answer>,
    { mailbox, state }: { mailbox: Mailbox; state: ChannelState | undefined },
  ): Promise<Answer | PlatformError> {
    try {
      return await call();
    } catch (cause) {
      // Calls fail with a PlatformError: anything else is a fault of the bot's own in making the message.
      const error =
        cause instanceof PlatformError ? cause : new PlatformError('unforeseen', { kind: 'bad_message', cause });
      const { kind, code } = error;
      const { logged, count } = deps.of(mailbox);
      count(code);
      log[kind === 'rate_limited' || kind === 'too_long' ? 'warn' : 'error'](
        { error, ...logged, code, failures: (state?.failures ?? 0) + 1 },
        `an alert is not posted yet (${kind}); it is kept`,
      );
      return error;
    }
  }

  return {
    attempt,
    begin(
      state: ChannelState,
      channelId: string,
      message: NextMessage,
      now: number,
    ): Step<ChannelState, object, PostDeed> {
      const { positions, thread, digest, isNotice } = message;
      const inFlight: InFlightMessage = {
        id: deps.newId(),
        startedAt: now,
        positions,
        ...(thread && { thread }),
        ...(digest && { digest }),
        ...(isNotice && { isNotice }),
      };
      return {
        kind: 'do',
        deed: { channelId, inFlight, message },
        keep: { kind: 'keep', state: { ...state, inFlight } },
      };
    },
    async do({ channelId, inFlight, message }: PostDeed, view: Parameters<typeof attempt>[1]): Promise<PostAnswer> {
      return attempt(
        () => channel.post(channelId, message!.announcement, { key: inFlight.id, threadId: message!.threadId }),
        view,
      );
    },
    async look(
      { channelId, inFlight }: PostDeed,
      view: Parameters<typeof attempt>[1],
    ): Promise<PostAnswer | undefined> {
      const threadId = view.state && threadIdOf(view.state, inFlight);
      const after = threadId ?? view.state?.lastMessageId;
      return attempt(() => channel.find(channelId, inFlight.id, { threadId, after }), view);
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
  { inFlight, message }: PostDeed,
  answer: PostAnswer | undefined,
  { state: stored, now }: { state: ChannelState; now: number },
  entries: readonly QueueEntry[],
): Keep<ChannelState, PostNote> {
  const { inFlight: _, ...state } = stored;
  const { id, positions } = inFlight;
  if (typeof answer === 'string') {
    const note: PostNote = { kind: message ? 'posted' : 'found', id, responses: message?.responses ?? [] };
    return { ...resting(afterPosted(stored, inFlight, answer, now)), take: positions, note };
  }
  if (answer === undefined) return resting(afterNotFound(stored, now));
  if (answer.kind === 'closed' || answer.kind === 'forbidden')
    return {
      ...resting(afterFailure(message ? state : stored, answer, now)),
      note: { kind: 'closed', code: answer.code },
    };
  if (message === undefined)
    return answer.kind === 'thread_gone' || answer.kind === 'bad_message'
      ? resting(afterGone(stored))
      : resting(afterFailure(stored, answer, now));
  if (answer.kind === 'too_long' && canBeShorter(message.announcement))
    return resting(afterTooLong(state, lengthOf(message.announcement, inFlight), now));
  if (answer.kind === 'too_long' || answer.kind === 'bad_message') return keepBad(state, entries, answer, now);
  return resting(afterPostFailed(state, inFlight, answer, now));
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
function lengthOf(
  announcement: Announcement,
  { positions, digest }: InFlightMessage,
): { items: number; until: number } {
  return {
    items: 'items' in announcement ? announcement.items.length : 1,
    until: Math.max(...positions, digest?.position ?? 0),
  };
}
