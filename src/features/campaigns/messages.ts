import { openMembers } from '../../domain/campaign-members.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { liveQueue, personQueue } from '../../domain/queue-names.ts';
import type { CampaignStep } from './next-step.ts';

/** What all entries of campaigns have in place of a subscription. */
export const campaignEntries = 'campaigns';

const namesAtMost = 50;

/** A step that writes to people. */
export type MessageStep = Extract<CampaignStep, { kind: 'notify' | 'remind' | 'escalate' }>;

/** The messages of a step, one for each person. */
export function messagesOf(step: MessageStep, campaign: Campaign, at: number): NewQueueEntry[] {
  const { id: campaignId, quiz, ownerId, schedule, lead } = campaign;
  const dueAt = schedule.dueAt ?? null;
  if (step.kind === 'escalate') {
    const names = step.missing.slice(0, namesAtMost).map(({ name }) => name);
    const isOwn = step.missing.some(({ userId }) => userId === lead.userId);
    return [
      messageTo(lead.userId, campaign, at, {
        kind: 'campaign-escalation',
        campaignId,
        quizName: quiz.name,
        dueAt,
        names,
        missing: step.missing.length,
        ...(isOwn && { ownQuizId: quiz.id }),
      }),
    ];
  }
  const notice = {
    kind: 'campaign-notice',
    campaignId,
    quizId: quiz.id,
    quizName: quiz.name,
    by: ownerId,
    dueAt,
    isReminder: step.kind === 'remind',
  } as const;
  return step.members.map(({ userId, result }) =>
    messageTo(userId, campaign, at, { ...notice, ...(result?.outcome === 'failed' && { hasFailed: true }) }),
  );
}

/** Names the members to the owner who have now said that the quiz is not for them. */
export function notMeMessages(
  campaign: Campaign,
  events: readonly CampaignEvent[],
  ownerUserId: string,
  at: number,
): NewQueueEntry[] {
  return newNotMe(campaign, events).map(({ userId, name }) =>
    messageTo(ownerUserId, campaign, at, {
      kind: 'campaign-not-me',
      campaignId: campaign.id,
      quizName: campaign.quiz.name,
      userId,
      name,
    }),
  );
}

/** The members of whom these events are the first to say that the quiz is not for them. */
export function newNotMe(campaign: Campaign, events: readonly CampaignEvent[]): CampaignMember[] {
  const saying = new Set(events.flatMap((event) => (event.kind === 'not-me' ? [event.userId] : [])));
  return openMembers(campaign).filter(({ userId }) => saying.has(userId));
}

function messageTo(userId: string, { teamId }: Campaign, at: number, content: CampaignMessage): NewQueueEntry {
  return { queue: personQueue(teamId, userId), subscriptionId: campaignEntries, at, content };
}

/** The live message with a campaign’s board. */
export function boardId(campaignId: string): string {
  return `campaign-${campaignId}`;
}

/** Has the board shown as the campaign is now. */
export function boardRefresh({ id, teamId, board }: Campaign, at: number): NewQueueEntry[] {
  return board === null ? [] : [refresh(liveQueue(teamId, boardId(id)), at)];
}

/** Has the final post made: in the channel of the board, or to the owner. */
export function endRefresh({ id, teamId }: Campaign, at: number): NewQueueEntry[] {
  return [refresh(liveQueue(teamId, `campaign-end-${id}`), at)];
}

function refresh(queue: string, at: number): NewQueueEntry {
  return { queue, subscriptionId: campaignEntries, at, content: { kind: 'refresh' } };
}
