import { knowsOtherDueTime } from '../../domain/campaign-messages.ts';
import { hasFailed, personOf } from '../../obligations/people.ts';
import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { liveQueue, personQueue } from '../../domain/queue-names.ts';
import { campaignEntries } from './stored-campaign.ts';

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
    dueWas: knowsOtherDueTime(known, obligation) ? (last?.dueAt ?? null) : undefined,
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
