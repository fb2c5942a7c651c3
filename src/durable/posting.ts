import type { Announcement, PostingPlatform } from '../domain/announcement.ts';
import { PlatformError, type PlatformErrorKind } from '../domain/errors.ts';
import { backoffMs } from '../time/timers.ts';
import { restFor, restsUntil, type Rest } from './machine.ts';

/**
 * What a state keeps of the messages that its mailbox posts, each of them once: in a channel, to a person, in place. Times are
 * milliseconds since the epoch.
 *
 * ```
 *             post                     answer: there
 *   nothing ───────▶ kept as in flight ─────────────▶ posted, and the next one after a second
 *      ▲                │          │
 *      │  answer: not   │          │ answer lost, or the process killed
 *      ├────────────────┘          ▼
 *      │                   looked for by its ID, 2, 5, 10, 20 and 40 s after it was sent ─▶ seen: posted
 *      │  not seen by the last look │
 *      └────────────────────────────┘
 * ```
 *
 * What is refused for its length or its form is posted in halves, until one entry that is refused alone is set aside.
 *
 * @typeParam Shows what is kept of a message in flight
 */
export interface Posting<Shows extends object = object> extends Rest {
  /** A message that may or may not be there. Its ID goes with it, so that it is found. */
  inFlight?: (Shows & { id: string; startedAt: number }) | undefined;
  /** Failed calls since the last message. */
  failures: number;
  /** The last message outside threads; later ones are younger. */
  lastMessageId?: string | undefined;
  /** After a message that was refused: the entries of one, up to an entry, and how often a single one was refused. */
  refused?: { most: number; until: number; tries: number } | undefined;
  /** Why nothing can be posted, by the platform’s code, and whether those whom it concerns know. */
  problem?: { code: string; isTold: boolean } | undefined;
}

type InFlight<State extends Posting> = NonNullable<State['inFlight']>;

/** A message, or the look for one that may be there. */
export interface PostDeed<State extends Posting> {
  channelId: string;
  inFlight: InFlight<State>;
  threadId?: string | undefined;
  /** The ID of an older message, which bounds the look. */
  after?: string | undefined;
  /** Undefined for a message that may be there already. */
  announcement?: Announcement;
}

/** The ID of the message, or why there is none. */
export type PostAnswer = string | PlatformError;

/** The platform takes about one message a second in a channel. */
const paceMs = 1_000;
/** An entry that is refused alone so often does not hold up the others any longer. */
const triesAtMost = 5;

/** Until when nothing is sent or looked for; undefined: now is the time. */
export function postingRestsUntil(state: Posting, now: number): number | undefined {
  return restsUntil(state, now) ?? (state.inFlight && graceEndsAt(state.inFlight.startedAt, now));
}

/** The step that posts a message. */
export function post<State extends Posting>(state: State, deed: PostDeed<State>) {
  return { kind: 'do', deed, keep: { kind: 'keep', state: { ...state, inFlight: deed.inFlight } } } as const;
}

/** The step that looks for the message in flight. */
export function lookFor<State extends Posting>(state: State, to: { channelId: string; threadId?: string | undefined }) {
  const inFlight = state.inFlight as InFlight<State>;
  return { kind: 'look', deed: { ...to, inFlight, after: to.threadId ?? state.lastMessageId } } as const;
}

/**
 * What came of a post, or of a look for it:
 * - `posted`: it is there for certain
 * - `unknown`: the state says when it is looked for again, or it is posted again
 * - `closed`: nothing may be posted there until a setting changes
 * - `refused`: the same message fails again
 * - `failed`: it is tried again after a pause
 */
type Outcome =
  | { kind: 'posted'; messageId: string; isFound: boolean }
  | { kind: 'unknown' }
  | { kind: 'closed' | 'refused' | 'failed'; error: PlatformError };

/** Decides on the answer to a post, or to the look for a message whose answer was lost. */
export function settlePost<State extends Posting>(
  state: State,
  { inFlight, threadId, announcement }: PostDeed<State>,
  answer: PostAnswer | undefined,
  now: number,
): { state: State; outcome: Outcome } {
  const isLook = announcement === undefined;
  const settled = { ...state, inFlight: undefined };
  if (typeof answer === 'string')
    return {
      state: {
        ...afterCall(settled, now),
        ...(threadId === undefined && { lastMessageId: answer }),
      },
      outcome: { kind: 'posted', messageId: answer, isFound: isLook },
    };
  if (answer === undefined) {
    const at = nextLookAt(inFlight.startedAt, now);
    return {
      state: at === undefined ? settled : { ...state, ...restFor(at - now, now) },
      outcome: { kind: 'unknown' },
    };
  }
  const isRefused = isRefusedFor(answer);
  if (isLook && (isRefused || answer.kind === 'thread_gone')) return { state: settled, outcome: { kind: 'unknown' } };
  if (isRefused) return { state: settled, outcome: { kind: 'refused', error: answer } };
  const mayBeThere = isLook || answer.kind === 'unclear';
  return {
    state: afterFailure(mayBeThere ? { ...state, inFlight } : settled, answer, now),
    outcome: { kind: isClosed(answer) ? 'closed' : 'failed', error: answer },
  };
}

/** The state after a call that the platform has taken. */
export function afterCall<State extends Posting>(state: State, now: number): State {
  const { refused } = state;
  return {
    ...state,
    failures: 0,
    problem: undefined,
    refused: refused && { ...refused, tries: 0 },
    ...restFor(paceMs, now),
  };
}

/** Waits as long as the platform asks for, or longer with each failure. */
export function afterFailure<State extends Posting>(
  state: State,
  failure: Pick<PlatformError, 'retryAfterMs'> & { kind?: PlatformErrorKind },
  now: number,
): State {
  const failures = state.failures + 1;
  return { ...state, failures, ...restFor(retryPauseMs(failures, failure), now) };
}

/** After a failure of a closed channel: those whom it concerns are told first, then it is tried again. */
export function withProblem<State extends Posting>(state: State, { code }: { code: string }, now: number): State {
  return state.problem === undefined ? { ...state, problem: { code, isTold: false }, ...restFor(0, now) } : state;
}

/** The state after they were told, or could not be told now. */
export function afterTelling<State extends Posting>(
  state: State,
  isTold: boolean,
  pauseMs: number,
  now: number,
): State {
  return { ...state, problem: state.problem && { ...state.problem, isTold }, ...restFor(pauseMs, now) };
}

/**
 * The state after a message was refused for its length or its form. The next ones have half as many entries, until one is refused
 * alone.
 *
 * @param until the position of the last of its entries
 * @returns `isSetAside` where its only entry is given up
 */
export function afterRefused<State extends Posting>(
  state: State,
  { entries, until }: { entries: number; until: number },
  now: number,
): { state: State; isSetAside: boolean } {
  const { refused } = state;
  const upTo = Math.max(until, refused?.until ?? 0);
  if (entries > 1) {
    const next = { most: Math.floor(entries / 2), until: upTo, tries: 0 };
    return { state: { ...state, refused: next, ...restFor(paceMs, now) }, isSetAside: false };
  }
  const tries = (refused?.tries ?? 0) + 1;
  return tries < triesAtMost
    ? {
        state: { ...afterFailure(state, { retryAfterMs: undefined }, now), refused: { most: 1, until: upTo, tries } },
        isSetAside: false,
      }
    : { state: { ...state, failures: 0, refused: undefined, ...restFor(paceMs, now) }, isSetAside: true };
}

/** The number of entries in a message that begins with the entry at a position. */
export function mostEntries({ refused }: Posting, position: number): number {
  return refused !== undefined && position <= refused.until ? refused.most : Infinity;
}

/** Whether nothing may be posted until somebody changes the channel or a permission. */
export function isClosed({ kind }: Pick<PlatformError, 'kind'>): boolean {
  return kind === 'closed' || kind === 'forbidden';
}

/** Whether a message is refused for its length or its form. */
export function isRefusedFor({ kind }: Pick<PlatformError, 'kind'>): boolean {
  return kind === 'too_long' || kind === 'bad_message';
}

/** @param onFailed called with each failed call */
export function createPoster<Seen>(platform: PostingPlatform, onFailed: (error: PlatformError, seen: Seen) => void) {
  /** @returns the error of a call that the platform failed, or of a message that could not be made */
  async function attempt<Answer>(call: () => Promise<Answer>, seen: Seen): Promise<Answer | PlatformError> {
    try {
      return await call();
    } catch (cause) {
      // Calls fail with a PlatformError: anything else is a fault of the bot's own in making the message.
      const error =
        cause instanceof PlatformError ? cause : new PlatformError('unforeseen', { kind: 'bad_message', cause });
      onFailed(error, seen);
      return error;
    }
  }

  return {
    attempt,
    do: async ({ channelId, inFlight, threadId, announcement }: PostDeed<Posting>, seen: Seen) =>
      attempt(() => platform.post(channelId, announcement!, { key: inFlight.id, threadId }), seen),
    look: async ({ channelId, inFlight, threadId, after }: PostDeed<Posting>, seen: Seen) =>
      attempt(() => platform.find(channelId, inFlight.id, { threadId, after }), seen),
  };
}

/**
 * When a message whose answer was lost is looked up, counted from its sending. The platform can store a message some time
 * after its answer was lost: 14 seconds were seen, after a call that takes up to 10. After the last look, the message is
 * posted again.
 */
const looksAfterMs = [2_000, 5_000, 10_000, 20_000, 40_000];

/**
 * @param startedAt when the message was sent
 * @returns when to look for it next; undefined where the last look is over, or the clock was set back
 */
export function nextLookAt(startedAt: number, now: number): number | undefined {
  if (startedAt > now) return undefined;
  const afterMs = looksAfterMs.find((ms) => startedAt + ms > now);
  return afterMs === undefined ? undefined : startedAt + afterMs;
}

/** Until when a message that was just sent is not looked up yet; undefined where that is over. */
function graceEndsAt(startedAt: number, now: number): number | undefined {
  const at = nextLookAt(startedAt, startedAt);
  return startedAt <= now && at !== undefined && now < at ? at : undefined;
}

const backoff = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** Short, so that what waits is posted soon after an outage. A longer outage is known, and no mailbox posts during it. */
const outageBackoff = { firstMs: 1_000, longestMs: 5_000 };
/** After so many, a call fails for a reason of its own: 10 minutes. */
const outageFailuresAtMost = 120;

/** How long a mailbox waits after so many failed calls in a row, in milliseconds. */
export function retryPauseMs(
  failures: number,
  { kind, retryAfterMs }: Pick<PlatformError, 'retryAfterMs'> & { kind?: PlatformErrorKind },
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return backoffMs(failures, kind === 'unclear' && failures <= outageFailuresAtMost ? outageBackoff : backoff);
}
