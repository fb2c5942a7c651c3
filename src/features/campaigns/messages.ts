import { otherDueTime, whyUnreached } from '../../domain/campaign-messages.ts';
import { hasFailed, personOf } from '../../obligations/people.ts';
import type { Campaign, CampaignMember, CampaignEvent } from '../../domain/campaign.ts';
import { liveQueue, personQueue, managerQueue, type CampaignMessage, type NewQueueEntry } from '../../domain/queues.ts';
import { campaignEntries } from './stored-campaign.ts';
import { markedPerson } from '../../domain/said.ts';
import type { FoundManagers } from '../../domain/managers.ts';
import type { User } from '../../quiz-api/records.ts';
import { canLead } from './operations/who-takes-part.ts';

/**
 * What a member reads of whom the campaign asks something. It is worked out when a message is handed over, and again when it is posted.
 *
 * @param handedAt when it is, or was, handed over: they know what came before
 */
export function noticeTo(
  { messages, ...member }: CampaignMember,
  campaign: Campaign,
  { handedAt, now }: { handedAt: number; now: number },
): Extract<CampaignMessage, { kind: 'campaign-notice' }> {
  const { id: campaignId, quiz, ownerId, words, takesMinutes, rule } = campaign;
  const known = { ...member, messages: messages.filter((message) => message.handedAt < handedAt) };
  const last = known.messages.at(-1);
  const { obligation } = personOf(known, campaign, now);
  const { dueAt = null, validUntil, asksFrom = 0 } = obligation;
  return {
    kind: 'campaign-notice',
    campaignId,
    quizId: quiz.id,
    quizName: quiz.name,
    by: ownerId,
    words: (last === undefined && words) || undefined,
    takesMinutes: (last === undefined && takesMinutes) || undefined,
    dueAt,
    isReminder: last !== undefined && last.handedAt >= asksFrom,
    hasFailed: hasFailed(known, obligation, campaign) || undefined,
    validUntil: rule.standing ? validUntil : undefined,
    dueWas: otherDueTime(known, obligation),
    isForThem: isAskedAfterAll(known) || undefined,
  };
}

/** They said that the quiz is not for them, were not excused, and have had no message since. */
function isAskedAfterAll({ askAgainAt, excused, messages }: CampaignMember): boolean {
  return askAgainAt !== null && excused === null && askAgainAt > (messages.at(-1)?.handedAt ?? Infinity);
}

export function messageTo(userId: string, { teamId }: Campaign, at: number, content: CampaignMessage): NewQueueEntry {
  return { queue: personQueue(teamId, userId), subscriptionId: campaignEntries, at, content };
}

/** The live message with a campaign’s board. */
export function boardId(campaignId: string): string {
  return `campaign-${campaignId}`;
}

/** Has the board shown as the campaign is now. */
export function boardRefresh(
  { id, teamId, rule: { board } }: Campaign,
  at: number,
  how: { isAnew?: true } = {},
): NewQueueEntry[] {
  return board === null ? [] : [refresh(liveQueue(teamId, boardId(id)), at, how)];
}

/** Has the final post made: in the channel of the board, or to the owner. */
export function endRefresh({ id, teamId }: Campaign, at: number): NewQueueEntry[] {
  return [refresh(liveQueue(teamId, `campaign-end-${id}`), at)];
}

function refresh(queue: string, at: number, how: { isAnew?: true } = {}): NewQueueEntry {
  return { queue, subscriptionId: campaignEntries, at, content: { kind: 'refresh', ...how } };
}

/** Who answers for a campaign, as the account has them now. IDs are those of users. */
export interface Responsible {
  /** `userId`: undefined for an owner without a user. */
  owner: { userId: string | undefined; isAble: boolean };
  /** `userIds`: those of the leads who are able. */
  lead: { userIds: readonly string[]; isAble: boolean };
  /** Who is asked where neither is able. */
  administrators: readonly string[];
}

/** Messages about a campaign that nobody answers for go to so many administrators. */
const administratorsAtMost = 10;

/** @param owner the person who owns the campaign, by their rights now */
export function responsibleIn(
  { leads }: Pick<Campaign, 'leads'>,
  owner: Responsible['owner'],
  users: readonly User[],
): Responsible {
  const able = users.filter((user) => leads.includes(user.user_id) && canLead(user)).map(({ user_id }) => user_id);
  return {
    owner,
    // Who has no user leads what they own.
    lead: { userIds: able, isAble: leads.length === 0 ? owner.isAble : able.length > 0 },
    administrators: users
      .filter((user) => user.user_type === 'administrator' && canLead(user))
      .map(({ user_id }) => user_id)
      .slice(0, administratorsAtMost),
  };
}

/** Which of the two cannot see results any more: the owner, and every lead. */
export function unableOf({ owner, lead }: Responsible): readonly ('owner' | 'lead')[] {
  return [...(owner.isAble ? [] : (['owner'] as const)), ...(lead.isAble ? [] : (['lead'] as const))];
}

/** The users who get a message that is meant for the owner or the leads: the other one where they are not able, then administrators. */
export function recipientsOf(meant: 'owner' | 'lead', { owner, lead, administrators }: Responsible): readonly string[] {
  const ownerIds = owner.isAble && owner.userId !== undefined ? [owner.userId] : [];
  const [first, second] = meant === 'owner' ? [ownerIds, lead.userIds] : [lead.userIds, ownerIds];
  return first.length > 0 ? first : second.length > 0 ? second : administrators;
}

type SplitEscalation = ReturnType<typeof splitEscalation>;

/**
 * Who gets the names of late members. To leads go those who have no manager on the platform, or one who says that they are not theirs.
 *
 * @param managers undefined: the campaign escalates to its leads alone
 */
export function splitEscalation(late: readonly CampaignMember[], managers: FoundManagers['managers'] | undefined) {
  const managerOf = ({ personId, notReportOf }: CampaignMember) => {
    const managerId = managers?.get(personId ?? '') ?? '';
    return managerId === personId || notReportOf.includes(managerId) ? '' : managerId;
  };
  const byManager = Map.groupBy(late, managerOf);
  const toLeads = byManager.get('') ?? [];
  byManager.delete('');
  return { byManager, toLeads };
}

const namesAtMost = 50;

/**
 * The messages of an escalation: one for each lead with the names that no manager gets, and one for each manager, who reads the
 * names when it is posted.
 *
 * @param leadIds the users who get the names of the missing people
 */
export function escalationMessages(
  { byManager, toLeads }: SplitEscalation,
  campaign: Campaign,
  leadIds: readonly string[],
  at: number,
): NewQueueEntry[] {
  const { id: campaignId, quiz } = campaign;
  const content = { kind: 'campaign-reports', campaignId, quizName: quiz.name } as const;
  const toManagers = [...byManager.keys()].map((personId) => ({
    queue: managerQueue(campaign.teamId, personId),
    subscriptionId: campaignEntries,
    at,
    content,
  }));
  if (toLeads.length === 0) return toManagers;
  return [
    ...leadIds.map((leadId) => messageTo(leadId, campaign, at, escalation(campaign, toLeads, leadId))),
    ...toManagers,
  ];
}

/** For a lead: who is missing. */
export function escalation(
  { id: campaignId, quiz, rule }: Campaign,
  late: readonly CampaignMember[],
  leadId?: string,
): Extract<CampaignMessage, { kind: 'campaign-escalation' }> {
  const { missing = [], unreached } = Object.groupBy(late, (member) =>
    whyUnreached(member) === undefined ? 'missing' : 'unreached',
  );
  const names = (some: readonly CampaignMember[]) =>
    some.slice(0, namesAtMost).map(({ userId, name }) => markedPerson(userId, name));
  return {
    kind: 'campaign-escalation',
    campaignId,
    quizName: quiz.name,
    dueAt: rule.dueAt,
    names: names(missing),
    missing: missing.length,
    unreached: unreached && { names: names(unreached), count: unreached.length },
    ownQuizId: missing.some(({ userId }) => userId === leadId) ? quiz.id : undefined,
  };
}

/** Who got the names of an escalation. */
export function managedEvents({ byManager, toLeads }: SplitEscalation): CampaignEvent[] {
  const idsOf = (members: readonly CampaignMember[]) => members.map(({ userId }) => userId);
  const isSame = byManager.size === 0 && toLeads.every(({ managerId }) => managerId === null);
  const found: [string | null, CampaignMember[]][] = isSame ? [] : [...byManager, [null, toLeads]];
  return found.map(([managerId, own]) => ({ kind: 'managed', managerId, userIds: idsOf(own) }));
}
