import { markedPerson } from '../../domain/said.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { managerQueue } from '../../domain/queue-names.ts';
import { personOf } from '../../obligations/people.ts';
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

function escalation(
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

/** What managers say, or that nothing reaches them, for those who answer for the campaign. */
export function managerNews(before: Campaign, events: readonly CampaignEvent[]): CampaignMessage[] {
  const about = { campaignId: before.id, quizName: before.quiz.name };
  return firstOfEach(events).flatMap((event): CampaignMessage[] => {
    switch (event.kind) {
      case 'not-report': {
        const member = before.members.find(({ userId }) => userId === event.userId);
        if (member === undefined || event.isNotified || member.notReportOf.includes(event.by)) return [];
        const { userId, name } = member;
        return [{ kind: 'campaign-not-report', ...about, userId, name, by: event.by }];
      }
      case 'manager-gone': {
        const own = before.members.filter(
          (member) => member.managerId === event.managerId && personOf(member, before, event.at).state === 'open',
        );
        return own.length === 0 ? [] : [escalation(before, own)];
      }
      default:
        return [];
    }
  });
}

/** A manager who presses twice says one thing. */
function firstOfEach(events: readonly CampaignEvent[]): CampaignEvent[] {
  const keyOf = (event: CampaignEvent, index: number) =>
    event.kind === 'not-report' ? `${event.userId} ${event.by}` : index;
  return [
    ...new Map(events.map((event, index) => [keyOf(event, index), event] as const).toReversed()).values(),
  ].toReversed();
}

/** Whom news of a campaign are for. */
export function newsFor({ kind }: CampaignMessage): 'owner' | 'lead' {
  return kind === 'campaign-not-report' || kind === 'campaign-escalation' ? 'lead' : 'owner';
}

function messageToManager(personId: string, { teamId }: Campaign, at: number, content: CampaignMessage): NewQueueEntry {
  return { queue: managerQueue(teamId, personId), subscriptionId: campaignEntries, at, content };
}
