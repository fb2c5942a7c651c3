import { markedPerson } from '../../domain/said.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { managerQueue } from '../../domain/queue-names.ts';
import type { SplitEscalation } from './managed-members.ts';
import { campaignEntries, messageTo } from './messages.ts';

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
  const toManagers = [...byManager.keys()].map((personId) =>
    messageToManager(personId, campaign, at, { kind: 'campaign-reports', campaignId, quizName: quiz.name }),
  );
  if (toLeads.length === 0) return toManagers;
  return [
    ...leadIds.map((leadId) => messageTo(leadId, campaign, at, escalation(campaign, toLeads, leadId))),
    ...toManagers,
  ];
}

/** For a lead: who is missing. */
export function escalation(
  { id: campaignId, quiz, rule }: Campaign,
  missing: readonly CampaignMember[],
  leadId?: string,
): Extract<CampaignMessage, { kind: 'campaign-escalation' }> {
  return {
    kind: 'campaign-escalation',
    campaignId,
    quizName: quiz.name,
    dueAt: rule.dueAt,
    names: missing.slice(0, namesAtMost).map(({ userId, name }) => markedPerson(userId, name)),
    missing: missing.length,
    ...(missing.some(({ userId }) => userId === leadId) && { ownQuizId: quiz.id }),
  };
}

/** Who got the names of an escalation. */
export function managedEvents({ byManager, toLeads }: SplitEscalation): CampaignEvent[] {
  const idsOf = (members: readonly CampaignMember[]) => members.map(({ userId }) => userId);
  return [
    ...[...byManager].map(([managerId, own]) => ({ kind: 'managed', managerId, userIds: idsOf(own) }) as const),
    ...(byManager.size === 0 && toLeads.every(({ managerId }) => managerId === null)
      ? []
      : [{ kind: 'managed', managerId: null, userIds: idsOf(toLeads) } as const]),
  ];
}

function messageToManager(personId: string, { teamId }: Campaign, at: number, content: CampaignMessage): NewQueueEntry {
  return { queue: managerQueue(teamId, personId), subscriptionId: campaignEntries, at, content };
}
