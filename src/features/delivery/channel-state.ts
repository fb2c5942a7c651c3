import type { ThreadCounts } from '../../domain/announcement.ts';
import type { PlatformError } from '../../domain/errors.ts';
import { afterFailure, isRefusedFor, type Posting } from '../../durable/posting.ts';

/** What a channel's queue stores beside its entries. Times are milliseconds since the epoch. */
export interface ChannelState extends Posting<ChannelMessage> {
  /** By thread key; kept for two days after the last message. */
  threads: Readonly<Record<string, Thread>>;
  /** When the head of a thread was last updated. */
  refreshedAt?: number;
}

/** What is kept of a message in flight. */
interface ChannelMessage {
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** Its thread, with what the counts become through it. */
  thread?: { key: string; isParent: boolean; counted: Thread } | undefined;
}

export type InFlightMessage = NonNullable<ChannelState['inFlight']>;

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

const threadTtlMs = 48 * 3_600_000;

/** Whether the queue has work although no entry waits in it. */
export function isBusy({ inFlight, threads }: ChannelState): boolean {
  return inFlight !== undefined || Object.values(threads).some(isStale);
}

/** Whether the head of a thread shows fewer submissions than there are. */
export function isStale({ messageId, shown, submitted }: Thread): boolean {
  return messageId !== undefined && shown < submitted;
}

/** The id of the message whose thread a message in flight is in; undefined for a message outside threads. */
export function threadIdOf({ thread }: InFlightMessage): string | undefined {
  return thread?.isParent === false ? thread.counted.messageId : undefined;
}

/** The threads after a message that is in the channel for certain. */
export function threadsAfter(
  { threads }: ChannelState,
  inFlight: InFlightMessage,
  messageId: string,
  now: number,
): ChannelState['threads'] {
  const { thread } = inFlight;
  const open = young(threads, now);
  if (thread === undefined) return open;
  const { key, counted } = thread;
  const isReply = threadIdOf(inFlight) !== undefined;
  const { shown } = isReply ? (threads[key] ?? counted) : counted;
  return { ...open, [key]: { ...counted, shown, usedAt: now, ...(!isReply && { messageId }) } };
}

function young(threads: ChannelState['threads'], now: number): Record<string, Thread> {
  return Object.fromEntries(Object.entries(threads).filter(([, { usedAt }]) => now - usedAt < threadTtlMs));
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
  const isLasting = failure.kind === 'thread_gone' || failure.kind === 'closed' || isRefusedFor(failure);
  return isLasting ? withoutThread(state, key) : afterFailure(state, failure, now);
}

export function withoutThread(state: ChannelState, key: string): ChannelState {
  const { [key]: _, ...threads } = state.threads;
  return { ...state, threads };
}
