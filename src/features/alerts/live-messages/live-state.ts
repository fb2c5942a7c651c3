import type { PlatformError } from '../../../domain/errors.ts';
import { backoffMs } from '../../../time/backoff.ts';
import { retryPauseMs } from '../../../durable/retry-pause.ts';
import { graceEndsAt } from '../../../durable/look-up.ts';
import { restFor, restsUntil, type Rest } from '../../../durable/rest.ts';

/** What the queue of a live message stores beside its entries. Times are milliseconds since the epoch. */
export interface LiveState extends Rest {
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
  /** Why it is not shown, by the platform’s code, since it was shown last. `isOwnerNotified` is false until the owner knows. */
  problem?: { code: string; isOwnerNotified: boolean } | undefined;
  /** How often people deleted it. */
  deletions?: number;
  /** The message shows its final state, or there is none any more. */
  isOver?: boolean;
}

export const freshLiveState: LiveState = { changedAt: 0, failures: 0, notBefore: 0 };

/** 30 changes a minute. */
const changePauseMs = 2_000;
const closedBackoff = { firstMs: 60_000, longestMs: 3_600_000 };
/** @returns until when nothing may be sent; undefined where something may be sent now */
export function liveRestsUntil(state: LiveState, now: number): number | undefined {
  const { changedAt, inFlight } = state;
  const at = Math.max(
    restsUntil(state, now) ?? 0,
    restsUntil(restFor(changePauseMs, changedAt), now) ?? 0,
    (inFlight && graceEndsAt(inFlight.startedAt, now)) ?? 0,
  );
  return at > now ? at : undefined;
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
    problem: undefined,
    isOver: isFinal,
  };
}

/** The state after a call that failed; `isOver` where trying again does not help. */
export function afterLiveFailure(state: LiveState, failure: PlatformError, now: number): LiveState {
  const { kind, code } = failure;
  if (kind === 'thread_gone') return afterDeletion(state, code, now);
  const failures = state.failures + 1;
  if (kind === 'closed' || kind === 'forbidden')
    return withProblem({ ...state, failures, isOver: false }, state.problem ?? { code, isOwnerNotified: false }, now);
  const isOver = (kind === 'bad_message' || kind === 'too_long') && failures >= badTriesAtMost;
  return { ...state, failures, ...restFor(retryPauseMs(failures, failure), now), isOver };
}

/** The state after its owner was told why it is not shown, or could not be told now. */
export function afterTelling(state: LiveState, isOwnerNotified: boolean, now: number): LiveState {
  const { problem, failures } = state;
  if (problem === undefined) return state;
  const told = { ...state, problem: { ...problem, isOwnerNotified } };
  return isOwnerNotified && state.isOver ? told : { ...told, ...restFor(backoffMs(failures, closedBackoff), now) };
}

/** First the owner is notified, then the channel is tried again. */
function withProblem(state: LiveState, problem: NonNullable<LiveState['problem']>, now: number): LiveState {
  const pauseMs = problem.isOwnerNotified ? backoffMs(state.failures, closedBackoff) : 0;
  return { ...state, problem, ...restFor(pauseMs, now) };
}

const badTriesAtMost = 5;
const repostsAtMost = 1;

/** A message that is gone is posted once more. Somebody who deletes it again means it: its owner is notified, and it is over. */
function afterDeletion(state: LiveState, code: string, now: number): LiveState {
  const { message: _, shown: _shown, ...others } = state;
  const deletions = (state.deletions ?? 0) + 1;
  return deletions <= repostsAtMost
    ? { ...others, deletions, ...restFor(0, now) }
    : withProblem({ ...others, deletions, isOver: true }, { code, isOwnerNotified: false }, now);
}
