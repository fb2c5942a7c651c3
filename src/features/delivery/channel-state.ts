import type { ThreadCounts } from '../../domain/announcement.ts';
import type { PlatformError, PlatformErrorKind } from '../../domain/errors.ts';
import { restFor, type Rest } from '../../durable/rest.ts';
import { retryPauseMs } from '../../durable/retry-pause.ts';

/** What a channel's queue stores beside its entries. Times are milliseconds since the epoch. */
export interface ChannelState extends Rest {
  /** A message that may or may not be in the channel. */
  inFlight?: InFlightMessage | undefined;
  /** By thread key; kept for two days after the last message. */
  threads: Readonly<Record<string, Thread>>;
  /** Failed calls since the last message. */
  failures: number;
  /** When the head of a thread was last updated. */
  refreshedAt?: number;
  /** The last message outside threads; later ones are younger. */
  lastMessageId?: string | undefined;
  /** Messages that could not be made or were refused for their form, in a row, and the last entry of the first of them. */
  bad?: { tries: number; until: number } | undefined;
  /** After a message that was too long: the items of a message, up to the last entry of that message. */
  tooLong?: { itemsAtMost: number; until: number } | undefined;
  /** When a person last got notices of campaigns. */
  noticedAt?: number;
  /** When a manager last got the list of their late people. */
  listedAt?: number;
}

/** Stored before a message is posted. */
export interface InFlightMessage {
  /** Goes with the message, so that the channel can be asked for it. */
  id: string;
  startedAt: number;
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** Its thread, with what the counts become through it. */
  thread?: { key: string; isParent: boolean; counted: Thread };
  /** It holds notices of campaigns. */
  isNotice?: true;
  /** It holds a manager’s list of late people. */
  isList?: true;
}

/** The submissions of a quiz on a day, for a subscription. */
export interface Thread extends ThreadCounts {
  timeZone: string;
  /** The message that heads the thread; undefined until it is posted. */
  messageId?: string | undefined;
  /** The number of submissions that the head shows. */
  shown: number;
  usedAt: number;
}

export const freshState: ChannelState = { threads: {}, failures: 0, notBefore: 0 };

/** The platform takes about one message a second in a channel. */
const paceMs = 1_000;
const threadTtlMs = 48 * 3_600_000;

/** Whether the queue has work although no entry waits in it. */
export function isBusy({ inFlight, threads }: ChannelState): boolean {
  return inFlight !== undefined || Object.values(threads).some(isStale);
}

/** Whether the head of a thread shows fewer submissions than there are. */
export function isStale({ messageId, shown, submitted }: Thread): boolean {
  return messageId !== undefined && shown < submitted;
}

/** After so many bad messages, entries are posted one by one, so that the bad one shows itself. */
const togetherAtMost = 3;
/** After so many more, the entry is dropped. */
const aloneAtMost = 3;

/** Whether the entry at a position is posted alone, since a message with it and others was bad. */
export function isPostedAlone({ bad }: ChannelState, position: number): boolean {
  return bad !== undefined && bad.tries >= togetherAtMost && position <= bad.until;
}

/** The state after a bad message of the entries at `positions`, and whether its only entry is to be dropped. */
export function afterBadMessage(
  state: ChannelState,
  positions: readonly number[],
  now: number,
): { state: ChannelState; isDropped: boolean } {
  const [first = 0] = positions;
  const { tries, until } = state.bad && first <= state.bad.until ? state.bad : { tries: 0, until: 0 };
  const isAlone = isPostedAlone(state, first);
  const isDropped = isAlone && tries + 1 >= togetherAtMost + aloneAtMost;
  const bad = { tries: isDropped ? togetherAtMost : tries + 1, until: isAlone ? until : Math.max(...positions) };
  return {
    state: {
      ...afterFailure(state, { retryAfterMs: undefined }, now),
      ...(isDropped && { failures: 0, notBefore: now }),
      bad,
    },
    isDropped,
  };
}

/** The number of items in a message that starts with the entry at a position, after earlier messages were too long. */
export function itemsAtMost({ tooLong }: ChannelState, position: number): number {
  return tooLong !== undefined && position <= tooLong.until ? tooLong.itemsAtMost : Infinity;
}

/** The state after a message of `items` was too long, which announces entries up to `until`. The next message has half of the items. */
export function afterTooLong(
  state: ChannelState,
  { items, until }: { items: number; until: number },
  now: number,
): ChannelState {
  const tooLong = {
    itemsAtMost: Math.max(1, Math.floor(items / 2)),
    until: Math.max(until, state.tooLong?.until ?? 0),
  };
  return { ...state, tooLong, ...restFor(paceMs, now) };
}

/** The id of the message whose thread a message in flight is in; undefined for a message outside threads. */
export function threadIdOf({ thread }: InFlightMessage): string | undefined {
  return thread?.isParent === false ? thread.counted.messageId : undefined;
}

/** The state after a message that is in the channel for certain. */
export function afterPosted(
  state: ChannelState,
  inFlight: InFlightMessage,
  messageId: string,
  now: number,
): ChannelState {
  const { thread } = inFlight;
  const threads = young(state.threads, now);
  const isReply = threadIdOf(inFlight) !== undefined;
  if (thread) {
    const { shown } = isReply ? (state.threads[thread.key] ?? thread.counted) : thread.counted;
    threads[thread.key] = {
      ...thread.counted,
      shown,
      usedAt: now,
      ...(!isReply && { messageId }),
    };
  }
  const bad = state.bad && isPostedAlone(state, 0) ? { ...state.bad, tries: togetherAtMost } : undefined;
  return {
    ...state,
    inFlight: undefined,
    threads,
    bad,
    failures: 0,
    ...restFor(paceMs, now),
    lastMessageId: isReply ? state.lastMessageId : messageId,
    ...(inFlight.isNotice && { noticedAt: inFlight.startedAt }),
    ...(inFlight.isList && { listedAt: inFlight.startedAt }),
  };
}

function young(threads: ChannelState['threads'], now: number): Record<string, Thread> {
  return Object.fromEntries(Object.entries(threads).filter(([, { usedAt }]) => now - usedAt < threadTtlMs));
}

/** The state after a message that the platform refused. Not for `closed`, which pauses the channel instead. */
export function afterPostFailed(
  state: ChannelState,
  inFlight: InFlightMessage,
  failure: PlatformError,
  now: number,
): ChannelState {
  if (failure.kind === 'thread_gone' && inFlight.thread)
    return afterFailure(withoutThread(state, inFlight.thread.key), failure, now);
  return afterFailure(state, failure, now);
}

/** The state after a message in flight that cannot be where it was to appear. */
export function afterGone(state: ChannelState): ChannelState {
  return { ...state, inFlight: undefined };
}

/** The state after the head of a thread was updated. */
export function afterRefreshed(state: ChannelState, key: string, thread: Thread, now: number): ChannelState {
  return { ...state, refreshedAt: now, threads: { ...state.threads, [key]: { ...thread, shown: thread.submitted } } };
}

/** The state after an update that failed: a head that no longer changes is given up, with its thread. */
export function afterRefreshFailed(
  state: ChannelState,
  key: string,
  failure: PlatformError,
  now: number,
): ChannelState {
  const isLasting = ['thread_gone', 'closed', 'too_long', 'bad_message'].includes(failure.kind);
  return isLasting ? withoutThread(state, key) : afterFailure(state, failure, now);
}

/** Waits as long as the platform asks for, or longer with each failure. */
export function afterFailure(
  state: ChannelState,
  failure: Pick<PlatformError, 'retryAfterMs'> & { kind?: PlatformErrorKind },
  now: number,
): ChannelState {
  const failures = state.failures + 1;
  return { ...state, failures, ...restFor(retryPauseMs(failures, failure), now) };
}

function withoutThread(state: ChannelState, key: string): ChannelState {
  const { [key]: _, ...threads } = state.threads;
  return { ...state, threads };
}
