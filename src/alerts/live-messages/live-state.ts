import type { PlatformError } from '../../domain/errors.ts';
import { backoffMs } from '../../time/backoff.ts';
import { retryPauseMs } from '../retry-pause.ts';
import { graceEndsAt } from '../uncertain.ts';

/** What the queue of a live message stores beside its entries. Times are milliseconds since the epoch. */
export interface LiveState {
  /** Undefined until the message is posted. */
  message?: { channelId: string; id: string };
  /** The fingerprint of what the message shows. */
  shown?: string;
  /** The first post, while nobody knows whether it arrived. */
  inFlight?: { key: string; channelId: string; startedAt: number; shows: string } | undefined;
  /** When the message was changed last. */
  changedAt: number;
  /** Failed calls since the last change. */
  failures: number;
  /** Nothing is sent before this time. */
  notBefore: number;
  /** The owner knows that the channel is closed to the bot. */
  isOwnerNotified?: boolean;
  /** The message shows its final state, or there is none any more. */
  isOver?: boolean;
}

export const freshLiveState: LiveState = { changedAt: 0, failures: 0, notBefore: 0 };

/** 30 changes a minute. */
const changePauseMs = 2_000;
const closedBackoff = { firstMs: 60_000, longestMs: 3_600_000 };
/** No wait is longer. A longer one means that the clock was set back. */
const longestWaitMs = 2 * 3_600_000;

/** @returns until when nothing may be sent; undefined where something may be sent now */
export function liveRestsUntil({ notBefore, changedAt, inFlight }: LiveState, now: number): number | undefined {
  const at = Math.max(notBefore, changedAt + changePauseMs, (inFlight && graceEndsAt(inFlight.startedAt, now)) ?? 0);
  return at > now && at < now + longestWaitMs ? at : undefined;
}

/** The state after the message shows what has this fingerprint. */
export function afterShown(
  state: LiveState,
  { message, shows, isFinal }: { message: NonNullable<LiveState['message']>; shows: string; isFinal: boolean },
  now: number,
): LiveState {
  return {
    ...state,
    inFlight: undefined,
    message,
    shown: shows,
    changedAt: now,
    failures: 0,
    notBefore: now,
    isOver: isFinal,
  };
}

/** The state after a call that failed; `isOver` where trying again does not help. */
export function afterLiveFailure(state: LiveState, failure: PlatformError, now: number): LiveState {
  const failures = state.failures + 1;
  const pauseMs = failure.kind === 'closed' ? backoffMs(failures, closedBackoff) : retryPauseMs(failures, failure);
  return { ...state, failures, notBefore: now + pauseMs, isOver: isLasting(failure, failures) };
}

const badTriesAtMost = 5;

/** A message that people deleted is not posted again. A closed channel may open again. */
function isLasting({ kind }: PlatformError, failures: number): boolean {
  if (kind === 'thread_gone') return true;
  return (kind === 'bad_message' || kind === 'too_long') && failures >= badTriesAtMost;
}
