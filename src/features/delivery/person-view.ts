import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { LateReport } from '../../domain/announcement.ts';
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

/** What a step for a person asks for. */
export interface PersonFacts {
  recipient: Recipient | Hindrance;
  /** The people of a manager who are late. */
  reports: readonly LateReport[];
  /** IDs of the campaigns that run. */
  running: readonly string[];
  quietUntil: number | undefined;
  /** When the next message may be posted; undefined: now. */
  turnAt: number | undefined;
  /** Those of the picked messages that need not be posted any more. */
  pointless: readonly QueueEntry[];
  /** The ID of the conversation with the person. */
  conversation: string | Hindrance;
}

export type PersonView = View<PersonState, PersonFacts>;
