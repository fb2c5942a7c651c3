import type { Keyv } from 'keyv';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { directMessages, personQueue } from '../../domain/queue-names.ts';
import type { View } from '../../durable/machine.ts';
import type { Posting } from '../../durable/posting.ts';

/** What a person's queue stores beside its entries. Times are milliseconds since the epoch. */
export interface PersonState extends Posting<PersonMessage> {
  /** When the person last got notices of campaigns. */
  noticedAt?: number;
  /** When a manager last got the list of their late people. */
  listedAt?: number;
}

/** What is kept of a message in flight. */
interface PersonMessage {
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** It holds notices of campaigns. */
  isNotice?: boolean;
  /** It holds a manager’s list of late people. */
  isList?: boolean;
}

export const freshPersonState: PersonState = { failures: 0, notBefore: 0 };

/**
 * Finds the person of the platform who is a user of the quiz account. `nobody` says why there is none to write to; `later`
 * is when to ask again, in milliseconds since the epoch.
 *
 * @throws {PlatformError} where the platform cannot be asked, and a `QuizApiError` where the service cannot
 */
export type FindRecipient = (
  userId: string,
) => Promise<Recipient | { kind: 'nobody'; reason: string } | { kind: 'later'; at: number }>;

/** `timeZone`: one that Intl knows. */
export interface Recipient {
  kind: 'found';
  personId: string;
  timeZone: string;
}

/** Why nothing is posted to a person: there is nobody, not yet, some messages are turned off (by the person, or for all respondents), or looking failed. */
export type Hindrance =
  | Exclude<Awaited<ReturnType<FindRecipient>>, Recipient>
  | { kind: 'turned off'; by: 'person' | 'operator' }
  | { kind: 'failed'; error: Error };

/**
 * Asks whether a person wants to be left alone now, in do-not-disturb for example. Never throws.
 * @returns when to ask again (milliseconds since the epoch); undefined: the person can be written to
 */
export type QuietUntil = (personId: string) => Promise<number | undefined>;

/**
 * Whether a user is in a group, by what the service said after a time (milliseconds since the epoch).
 * @throws a `QuizApiError` where the service cannot be asked
 */
export type IsMember = (userId: string, groupId: string, since: number) => Promise<boolean>;

export type PersonView = View<PersonState>;

/** The users who got a quiz, and had not had it before. */
export interface NewAssignments {
  quizId: string;
  quizName: string;
  users: readonly { userId: string; groupId?: string }[];
}

/**
 * The entries that tell users about a quiz.
 *
 * @param by the person of the platform who assigned it
 */
export function assignmentsFor(
  { quizId, quizName, users }: NewAssignments,
  { by, teamId, at }: { by: string; teamId: string; at: number },
): NewQueueEntry[] {
  const content = { kind: 'assigned', quizId, quizName, by } as const;
  return users.map(({ userId, groupId }) => ({
    queue: personQueue(teamId, userId),
    subscriptionId: directMessages,
    at,
    content: { ...content, ...(groupId !== undefined && { groupId }) },
  }));
}

/** Which people have turned direct messages off. */
export interface MessagePreferences {
  wantsMessages(teamId: string, personId: string): Promise<boolean>;
  turn(teamId: string, personId: string, to: 'on' | 'off'): Promise<void>;
}

/** @param store by workspace and person; it holds those who have turned them off */
export function createMessagePreferences(store: Pick<Keyv<'off'>, 'get' | 'set' | 'delete'>): MessagePreferences {
  const keyOf = (teamId: string, personId: string) => `${teamId}:${personId}`;
  return {
    wantsMessages: async (teamId, personId) => (await store.get(keyOf(teamId, personId))) !== 'off',
    async turn(teamId, personId, to) {
      if (to === 'off') await store.set(keyOf(teamId, personId), 'off');
      else await store.delete(keyOf(teamId, personId));
    },
  };
}
