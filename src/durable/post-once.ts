import { canBeShorter, type Announcement } from '../domain/announcement.ts';
import { PlatformError } from '../domain/errors.ts';
import { nextLookAt } from './look-up.ts';

/** Where messages are posted. All calls throw `PlatformError`, and each is tried once. */
export interface PostingPlatform {
  /** @returns the id of the message, which `key` finds again */
  post(
    channelId: string,
    announcement: Announcement,
    options?: { key?: string; threadId?: string | undefined },
  ): Promise<string>;
  /** @returns the id of the message with this key; undefined where there is none */
  find(
    channelId: string,
    key: string,
    options: { threadId?: string | undefined; after?: string | undefined },
  ): Promise<string | undefined>;
}

/** A message that is posted once: its state is kept before it is sent, so that it is looked for where its answer is lost. */
export interface PostDeed<InFlight> {
  channelId: string;
  /** Goes with the message. */
  key: string;
  /** What the state keeps of it. */
  inFlight: InFlight;
  threadId?: string | undefined;
  /** The id of an older message, which bounds the look. */
  after?: string | undefined;
  /** Undefined for a message that may be there already. */
  announcement?: Announcement;
}

/** The id of the message, or why there is none. */
export type PostAnswer = string | PlatformError;

/**
 * What came of a post, or of a look for it. Where `mayBeThere`, it is kept as in flight and looked for:
 * - `posted`: it is there for certain
 * - `look again`: it was not seen; the platform may store it later
 * - `not there`: it was not seen by the last look, or cannot be; it is posted again
 * - `closed`: nothing may be posted there until a setting changes
 * - `too long`: a shorter message may pass
 * - `bad`: the same message fails again
 * - `failed`: try again after a pause
 */
export type PostOutcome =
  | { kind: 'posted'; messageId: string; isFound: boolean }
  | { kind: 'look again'; at: number }
  | { kind: 'not there' }
  | { kind: 'too long' | 'bad'; error: PlatformError }
  | { kind: 'closed' | 'failed'; error: PlatformError; mayBeThere: boolean };

/** Decides what the answer to a post means, or to the look for a message whose answer was lost. All times are milliseconds since the epoch. */
export function outcomeOfPost(
  { inFlight: { startedAt }, announcement }: PostDeed<{ startedAt: number }>,
  answer: PostAnswer | undefined,
  now: number,
): PostOutcome {
  const isLook = announcement === undefined;
  if (typeof answer === 'string') return { kind: 'posted', messageId: answer, isFound: isLook };
  if (answer === undefined) return notSeen(startedAt, now);
  const error = answer;
  if (isClosed(error)) return { kind: 'closed', error, mayBeThere: isLook };
  switch (error.kind) {
    case 'too_long':
    case 'bad_message':
      if (isLook) return { kind: 'not there' };
      return { kind: error.kind === 'too_long' && canBeShorter(announcement) ? 'too long' : 'bad', error };
    case 'thread_gone':
      return isLook ? { kind: 'not there' } : { kind: 'failed', error, mayBeThere: false };
    default:
      return { kind: 'failed', error, mayBeThere: isLook || error.kind === 'unclear' };
  }
}

/** A message that was not seen is looked for until the last look, and then posted again. */
function notSeen(startedAt: number, now: number): PostOutcome {
  const at = nextLookAt(startedAt, now);
  return at === undefined ? { kind: 'not there' } : { kind: 'look again', at };
}

/** Whether nothing may be posted until somebody changes the channel or a permission. */
function isClosed({ kind }: Pick<PlatformError, 'kind'>): boolean {
  return kind === 'closed' || kind === 'forbidden';
}

/** @param onFailed called with each failed call */
export function createPostOnce<Seen>(
  platform: PostingPlatform,
  onFailed: (error: PlatformError, seen: Seen) => void,
): {
  /** @returns the error of a call that the platform failed, or of a message that could not be made */
  attempt: <Answer>(call: () => Promise<Answer>, seen: Seen) => Promise<Answer | PlatformError>;
  do: (deed: PostDeed<unknown>, seen: Seen) => Promise<PostAnswer>;
  look: (deed: PostDeed<unknown>, seen: Seen) => Promise<PostAnswer | undefined>;
} {
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
    do: async ({ channelId, key, threadId, announcement }, seen) =>
      attempt(() => platform.post(channelId, announcement!, { key, threadId }), seen),
    look: async ({ channelId, key, threadId, after }, seen) =>
      attempt(() => platform.find(channelId, key, { threadId, after }), seen),
  };
}
