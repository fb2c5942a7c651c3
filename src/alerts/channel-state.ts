import { backoffMs } from '../time/backoff.ts';

/** What a channel's queue keeps beside what waits in it. */
export interface ChannelState {
  /** A message that may or may not be in the channel. */
  inFlight?: InFlightMessage | undefined;
  /** Threads of today and yesterday, by their key. */
  threads: Readonly<Record<string, Thread>>;
  /** Failed tries since the last message. */
  failures: number;
  /** Nothing is posted before this; times are milliseconds since the epoch. */
  notBefore: number;
  /** When the first message of a thread was last changed. */
  refreshedAt?: number;
  /** The last message in the channel, by Slack's clock: what is looked up is younger. */
  lastTs?: string | undefined;
}

export interface InFlightMessage {
  /** Stands in the message's metadata. */
  id: string;
  startedAt: number;
  /** What of the queue it tells. */
  positions: readonly number[];
  /** The thread it belongs to, and what that counts with it. */
  thread?: { key: string; isParent: boolean; counted: Thread };
}

/** The submissions of a quiz on a day, for a subscription. */
export interface Thread {
  quizId: string;
  quizName: string;
  /** In the subscription's zone, such as `2026-11-21`. */
  day: string;
  timeZone: string;
  /** Its first message; undefined until that is posted. */
  ts?: string | undefined;
  submitted: number;
  passed: number;
  percentagesTotal: number;
  /** How many submissions its first message shows. */
  shown: number;
  usedAt: number;
}

export const freshState: ChannelState = { threads: {}, failures: 0, notBefore: 0 };

/** Whether the queue has something to do although nothing waits in it. */
export function isBusy({ inFlight, threads }: ChannelState): boolean {
  return inFlight !== undefined || Object.values(threads).some(isStale);
}

/** Whether a thread's first message shows fewer submissions than there are. */
export function isStale({ ts, shown, submitted }: Thread): boolean {
  return ts !== undefined && shown < submitted;
}

const paceMs = 1_000;
const threadLifeMs = 48 * 3_600_000;

/** The state after a message that is in the channel for sure. */
export function withPosted(state: ChannelState, { thread }: InFlightMessage, ts: string, now: number): ChannelState {
  const threads = Object.fromEntries(Object.entries(state.threads).filter(([, { usedAt }]) => now - usedAt < threadLifeMs));
  if (thread) {
    const { shown } = thread.isParent ? thread.counted : (state.threads[thread.key] ?? thread.counted);
    threads[thread.key] = { ...thread.counted, shown, usedAt: now, ...(thread.isParent && { ts }) };
  }
  const lastTs = thread?.isParent === false ? state.lastTs : ts;
  return { ...state, inFlight: undefined, threads, failures: 0, notBefore: now + paceMs, lastTs };
}

const retryBackoff = { firstMs: 1_000, longestMs: 5 * 60_000 };

/** The state after a try that failed: `retryAfterMs` is Slack's word on it, otherwise the waits grow. */
export function withFailure(state: ChannelState, now: number, retryAfterMs?: number): ChannelState {
  const failures = state.failures + 1;
  return { ...state, failures, notBefore: now + (retryAfterMs ?? backoffMs(failures, retryBackoff)) };
}
