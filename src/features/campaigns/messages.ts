import { knowsOtherDueTime } from '../../domain/campaign-messages.ts';
import { hasFailed, personOf } from '../../obligations/people.ts';
import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { liveQueue, personQueue } from '../../domain/queue-names.ts';
import type { CampaignStep } from './next-step.ts';
import { campaignEntries } from './stored-campaign.ts';

/** A step that asks people to take the quiz. */
type NoticeStep = Extract<CampaignStep, { kind: 'notify' | 'remind' }>;

/** The messages of a step, one for each person. */
export function messagesOf(step: NoticeStep, campaign: Campaign, at: number): NewQueueEntry[] {
  const { id: campaignId, quiz, ownerId, words, takesMinutes } = campaign;
  const notice = {
    kind: 'campaign-notice',
    campaignId,
    quizId: quiz.id,
    quizName: quiz.name,
    by: ownerId,
    ...(step.kind === 'notify' && {
      ...(words !== null && { words }),
      ...(takesMinutes !== null && { takesMinutes }),
    }),
  } as const;
  return step.members.map((member) => {
    const { obligation } = personOf(member, campaign, at);
    const { dueAt, validUntil, asksFrom = 0 } = obligation;
    const isFirst = step.kind === 'notify' || (member.messages.at(-1)?.handedAt ?? 0) < asksFrom;
    return messageTo(member.userId, campaign, at, {
      ...notice,
      dueAt: dueAt ?? null,
      isReminder: !isFirst,
      ...(hasFailed(member, obligation, campaign) && { hasFailed: true }),
      ...(campaign.rule.standing && validUntil !== undefined && { validUntil }),
      ...(knowsOtherDueTime(member, obligation) && { dueWas: member.messages.at(-1)?.dueAt ?? null }),
      ...(isAskedAfterAll(member) && { isForThem: true }),
    });
  });
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
export function boardRefresh({ id, teamId, rule: { board } }: Campaign, at: number): NewQueueEntry[] {
  return board === null ? [] : [refresh(liveQueue(teamId, boardId(id)), at)];
}

/** Has the final post made: in the channel of the board, or to the owner. */
export function endRefresh({ id, teamId }: Campaign, at: number): NewQueueEntry[] {
  return [refresh(liveQueue(teamId, `campaign-end-${id}`), at)];
}

function refresh(queue: string, at: number): NewQueueEntry {
  return { queue, subscriptionId: campaignEntries, at, content: { kind: 'refresh' } };
}
