import type { Keyv } from 'keyv';
import type { LateReport } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { CampaignMessage, NewQueueEntry, QueueEntry } from '../../domain/queue-entry.ts';
import { directMessages, managerOfQueue, personQueue, userOfQueue } from '../../domain/queue-names.ts';
import type { Machine } from '../../durable/machine.ts';
import { isForRespondent, isOptional, pickAtOnce, pickedIn } from './due-messages.ts';
import type { Pace } from './pace.ts';
import type {
  FindRecipient,
  Hindrance,
  IsMember,
  PersonFacts,
  PersonState,
  PersonView,
  QuietUntil,
  Recipient,
} from './person-view.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import { StoreAwayError } from '../../storage/storage.ts';
import type { Holidays } from '../../time/working-hours.ts';

/** How a person is found and reached. */
export interface PersonSources {
  channel: Pick<AnnouncementChannel, 'openDirect'>;
  findRecipient: FindRecipient;
  /** As `findRecipient`, by the person’s ID on the platform. */
  findPerson: FindRecipient;
  isMember: IsMember;
  /** Whether respondents get messages. */
  notifiesRespondents: boolean;
  wantsMessages: (teamId: string, personId: string) => Promise<boolean>;
  /** Whether a message of a campaign is still to be posted: the person may have taken the quiz meanwhile. */
  isStillWanted: (teamId: string, message: CampaignMessage, userId: string) => Promise<boolean>;
  /** The people of a manager who are late in these campaigns now. */
  lateReports: (teamId: string, managerId: string, campaignIds: readonly string[]) => Promise<LateReport[]>;
  /** IDs of the campaigns that run. */
  runningCampaigns: (teamId: string) => Promise<readonly string[]>;
  quietUntil: QuietUntil;
  /** When the conversation with a person may be opened (milliseconds since the epoch); undefined: now. */
  openingTurn: (personId: string) => Promise<number | undefined>;
  holidays: Holidays;
  /** That of all direct messages together. */
  pace: Pace;
  log: Log;
}

/** Finds out what a step for a person asks for. */
export function personFacts(deps: PersonSources): Machine<PersonState, PersonFacts>['facts'] {
  return {
    recipient: async (view) =>
      orHindrance<Recipient | Hindrance>(async () => {
        const { mailbox, mail } = view;
        const managerId = managerOfQueue(mailbox.id);
        const found = await (managerId === undefined
          ? deps.findRecipient(userOfQueue(mailbox.id))
          : deps.findPerson(managerId));
        if (found.kind !== 'found') return found;
        const picked = pickAtOnce(mail, view.state?.inFlight);
        const next = picked.length > 0 ? picked : mail;
        if (!deps.notifiesRespondents && next.some(isForRespondent)) return { kind: 'turned off', by: 'operator' };
        return !next.some(isOptional) || (await deps.wantsMessages(mailbox.teamId, found.personId))
          ? found
          : { kind: 'turned off', by: 'person' };
      }),
    async reports({ mailbox: { teamId, id }, facts: { running = [] } }) {
      const managerId = managerOfQueue(id);
      return managerId === undefined ? [] : deps.lateReports(teamId, managerId, running);
    },
    running: ({ mailbox: { teamId } }) => deps.runningCampaigns(teamId),
    quietUntil: async ({ facts: { recipient } }) =>
      recipient?.kind === 'found' ? deps.quietUntil(recipient.personId) : undefined,
    turnAt: async ({ mailbox: { name } }) => deps.pace.turn(name),
    async pointless(view) {
      const picked = pickedIn(view, deps.holidays);
      const areMeant = await Promise.all(picked.map(async (entry) => isStillMeant(entry, view)));
      return picked.filter((_, index) => areMeant[index] === false);
    },
    conversation: async ({ facts: { recipient } }) =>
      orHindrance<string | Hindrance>(async () => {
        const { personId } = recipient as Recipient;
        const at = await deps.openingTurn(personId);
        return at === undefined ? deps.channel.openDirect(personId) : { kind: 'later', at };
      }),
  };

  async function orHindrance<Answer>(look: () => Promise<Answer>): Promise<Answer | Hindrance> {
    try {
      return await look();
    } catch (error) {
      if (error instanceof StoreAwayError || !(error instanceof Error)) throw error;
      if (error instanceof PlatformError && error.kind === 'closed') return { kind: 'nobody', reason: error.code };
      deps.log.warn(
        { error, queue: 'person' },
        'a direct message is not posted yet: its recipient cannot be looked up; it is kept',
      );
      return { kind: 'failed', error };
    }
  }

  /** A user who has left the group meanwhile has not got its quiz. */
  async function isStillMeant({ content, at }: QueueEntry, { mailbox, facts }: PersonView): Promise<boolean> {
    const { teamId } = mailbox;
    const userId = userOfQueue(mailbox.id);
    switch (content.kind) {
      case 'assigned':
        return content.groupId === undefined || deps.isMember(userId, content.groupId, at);
      case 'campaign-reports':
        return facts.reports!.some(({ quizzes }) =>
          quizzes.some(({ campaignId }) => campaignId === content.campaignId),
        );
      default:
        return 'campaignId' in content ? deps.isStillWanted(teamId, content, userId) : true;
    }
  }
}

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
