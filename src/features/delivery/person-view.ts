import type { Keyv } from 'keyv';
import type { MessageChoice } from '../../operations/services/people.ts';
import type { Announcement } from '../../domain/announcement.ts';
import type { CampaignEvent } from '../../domain/campaign.ts';
import {
  directMessages,
  personQueue,
  batchQueue,
  campaignQueue,
  managerOfQueue,
  userOfQueue,
  type NewQueueEntry,
  type QueueEntry,
} from '../../domain/queues.ts';
import type { View, Keep } from '../../durable/machine.ts';
import type { Posting } from '../../durable/posting.ts';
import { notNeeded } from '../../domain/campaign-messages.ts';
import type { PostNote } from './posting.ts';

/** What a person's queue stores beside its entries. Times are milliseconds since the epoch. */
export interface PersonState extends Posting<PersonMessage> {
  /** When the person last got notices of campaigns. */
  noticedAt?: number;
  /** When a manager last got the list of their late people. */
  listedAt?: number;
  /** When the person was last asked to take people into campaigns. */
  askedAt?: number;
}

/** What is kept of a message in flight. */
interface PersonMessage {
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** It holds notices of campaigns. */
  isNotice?: boolean;
  /** It holds a manager’s list of late people. */
  isList?: boolean;
  /** It asks to take people in. */
  isAsking?: boolean;
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

export type MessagePreferences = ReturnType<typeof createMessagePreferences>;

/** Which people have turned direct messages off, or those of Monday. @param store by workspace and person; it holds those who have turned them off */
export function createMessagePreferences(store: Pick<Keyv<'off'>, 'get' | 'set' | 'delete'>) {
  // The person comes last: by that, it is erased.
  const keyOf = (teamId: string, personId: string) => `${teamId}:${personId}`;
  const weekKeyOf = (teamId: string, personId: string) => `${teamId}:week:${personId}`;
  return {
    wantsMessages: async (teamId: string, personId: string) => (await store.get(keyOf(teamId, personId))) !== 'off',
    wantsWeeks: async (teamId: string, personId: string) => (await store.get(weekKeyOf(teamId, personId))) !== 'off',
    async turn(teamId: string, personId: string, to: MessageChoice): Promise<void> {
      const key = to.startsWith('monday') ? weekKeyOf(teamId, personId) : keyOf(teamId, personId);
      if (to.endsWith('off')) await store.set(key, 'off');
      else await store.delete(key);
    },
  };
}

/** What is said or counted of messages that are taken out of a person’s mailbox. */
export type PersonNote =
  | PostNote
  | { kind: 'dropped'; reason: string; count: number }
  | { kind: 'pointless'; entries: readonly QueueEntry[] };

/** Takes messages out of the mailbox that go to nobody, and forgets the message in flight. */
export function dropped(
  view: PersonView,
  reason: string,
  entries: readonly QueueEntry[],
): Keep<PersonState, PersonNote> {
  const { inFlight: _, ...settled } = view.state ?? freshPersonState;
  return {
    kind: 'keep',
    state: settled,
    take: positionsOf(entries),
    put: putForOthers(entries, view, reason),
    note: { kind: 'dropped', reason, count: entries.length },
  };
}

/** Takes messages out of the mailbox that need not be posted any more. */
export function withoutPointless(view: PersonView, entries: readonly QueueEntry[]): Keep<PersonState, PersonNote> {
  return {
    kind: 'keep',
    state: view.state ?? freshPersonState,
    take: positionsOf(entries),
    put: putForOthers(entries, view, notNeeded),
    note: { kind: 'pointless', entries },
  };
}

/** What is taken out after a post has arrived, or is refused for what is in it. */
export function withFate(
  kept: Keep<PersonState, PostNote>,
  view: PersonView,
  said: Announcement | undefined,
): Keep<PersonState, PostNote> {
  const { take = [], note } = kept;
  const taken = view.mail.filter(({ position }) => take.includes(position));
  if (taken.length === 0) return kept;
  const failure = note?.kind === 'set_aside' ? note.error.code : undefined;
  const at = note?.kind === 'found' ? (view.state?.inFlight?.startedAt ?? view.now) : view.now;
  return { ...kept, put: putForOthers(taken, view, failure, at, said) };
}

export const positionsOf = (entries: readonly QueueEntry[]) => entries.map(({ position }) => position);

/**
 * Has campaigns and batches know what became of their messages to a user, and which manager nothing reaches. Of passwords, batches
 * know of those that are not posted.
 *
 * @param failure a code that says why they are not posted
 * @param said what was posted; undefined where it was found later
 */
function putForOthers(
  entries: readonly QueueEntry[],
  { mailbox: { teamId, id }, now }: PersonView,
  failure: string | undefined,
  at = now,
  said?: Announcement,
): NewQueueEntry[] {
  const userId = userOfQueue(id);
  const notices = said?.kind === 'campaign-notices' ? said.notices : [];
  return entries.flatMap(({ content, subscriptionId, at: handedAt }): NewQueueEntry[] => {
    const toCampaign = (campaignId: string, event: CampaignEvent): NewQueueEntry[] => [
      { queue: campaignQueue(teamId, campaignId), subscriptionId, at, content: { kind: 'campaign-event', event } },
    ];
    // A lead who is missing reads it with the names of the others, in place of a reminder.
    if (content.kind === 'campaign-notice' || (content.kind === 'campaign-escalation' && content.ownQuizId))
      return toCampaign(content.campaignId, {
        kind: 'delivery',
        userId,
        handedAt,
        at,
        failure: failure ?? null,
        dueAt: notices.find(({ campaignId }) => campaignId === content.campaignId)?.dueAt,
      });
    if (content.kind === 'campaign-reports') {
      const managerId = managerOfQueue(id);
      if (managerId === undefined || failure === undefined || failure === notNeeded) return [];
      return toCampaign(content.campaignId, { kind: 'manager-gone', managerId, at });
    }
    if (content.kind !== 'own-password' || content.of === undefined || failure === undefined) return [];
    const { batchId, row } = content.of;
    const event = { kind: 'unreached', row } as const;
    return [{ queue: batchQueue(teamId, batchId), subscriptionId, at, content: { kind: 'batch-event', event } }];
  });
}
