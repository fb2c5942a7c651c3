import { markedPerson } from '../../domain/said.ts';
import { knowsOtherDueTime } from '../../domain/campaign-messages.ts';
import { personOf, resultOf } from '../../obligations/people.ts';
import type { Campaign, CampaignEvent, CampaignMember, CampaignResult } from '../../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry } from '../../domain/queue-entry.ts';
import { liveQueue, personQueue } from '../../domain/queue-names.ts';
import type { CampaignStep } from './next-step.ts';

/** What all entries of campaigns have in place of a subscription. */
export const campaignEntries = 'campaigns';

const namesAtMost = 50;

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
      ...(hasFailed(resultOf(member, campaign), asksFrom) && { hasFailed: true }),
      ...(campaign.rule.standing && validUntil !== undefined && { validUntil }),
      ...(knowsOtherDueTime(member, obligation) && { dueWas: member.messages.at(-1)?.dueAt ?? null }),
      ...(isAskedAfterAll(member) && { isForThem: true }),
    });
  });
}

/** Whether they took it for what they are asked now, and did not pass. */
function hasFailed(result: CampaignResult | null, asksFrom: number): boolean {
  return result?.outcome === 'failed' && (result.submittedAt ?? Infinity) >= asksFrom;
}

/** They said that the quiz is not for them, were not excused, and have had no message since. */
function isAskedAfterAll({ askAgainAt, excused, messages }: CampaignMember): boolean {
  return askAgainAt !== null && excused === null && askAgainAt > (messages.at(-1)?.handedAt ?? Infinity);
}

/** What these events give those to decide who answer for the campaign: who says that the quiz is not for them, and that nobody can take it. */
export function newsOf(before: Campaign, after: Campaign, events: readonly CampaignEvent[]): CampaignMessage[] {
  const about = { campaignId: after.id, quizName: after.quiz.name };
  const { obstacle, unable } = after;
  const isPausedNow =
    after.endedAt === null &&
    before.obstacle === null &&
    obstacle !== null &&
    obstacle.status !== 'gone' &&
    obstacle.by !== after.ownerId;
  return [
    ...newNotMe(before, events).map(
      ({ userId, name }) => ({ kind: 'campaign-not-me', ...about, userId, name }) as const,
    ),
    ...(isPausedNow
      ? [{ kind: 'campaign-paused', ...about, quizId: after.quiz.id, ...(obstacle.by && { by: obstacle.by }) } as const]
      : []),
    ...unassignedNews(before, after, events),
    ...candidatesNews(before, after),
    ...unreadableNews(before, after),
    ...(unable.some((who) => !before.unable.includes(who))
      ? [{ kind: 'campaign-orphaned', ...about, who: unable } as const]
      : []),
  ];
}

/** Of members who do not get the quiz, people would only hear nothing. */
function unassignedNews(before: Campaign, after: Campaign, events: readonly CampaignEvent[]): CampaignMessage[] {
  const { id: campaignId, quiz, assigning } = after;
  const failed = new Set(events.flatMap((event) => (event.kind === 'not-assigned' ? event.userIds : [])));
  const members = after.members.filter(({ userId, assignment }) => assignment === 'failed' && failed.has(userId));
  const isNewlyStopped = assigning?.isStopped && !before.assigning?.isStopped;
  if (assigning === null || after.endedAt !== null || (members.length === 0 && !isNewlyStopped)) return [];
  const named = members.slice(0, namesAtMost).map(({ userId, name }) => ({ userId, name }));
  return [{ kind: 'campaign-unassigned', campaignId, quizName: quiz.name, ...assigning, members: named }];
}

/** Those who answer for it are asked once for all who wait. */
function candidatesNews(before: Campaign, { id: campaignId, quiz, candidates, endedAt }: Campaign): CampaignMessage[] {
  if (endedAt !== null || candidates === null || candidates.askedAt <= (before.candidates?.askedAt ?? 0)) return [];
  const { people } = candidates;
  return [
    {
      kind: 'campaign-candidates',
      campaignId,
      quizName: quiz.name,
      names: people.slice(0, namesAtMost).map(({ userId, name }) => markedPerson(userId, name)),
      count: people.length,
      why: [...new Set(people.map(({ why }) => why))],
    },
  ];
}

function unreadableNews(
  { unreadable: known }: Campaign,
  { id: campaignId, quiz, unreadable, endedAt }: Campaign,
): CampaignMessage[] {
  const parts = unreadable.filter((part) => !known.includes(part));
  if (endedAt !== null || parts.length === 0) return [];
  return [{ kind: 'campaign-unreadable', campaignId, quizName: quiz.name, parts }];
}

/** The members of whom these events are the first to say that the quiz is not for them. */
function newNotMe(campaign: Campaign, events: readonly CampaignEvent[]): CampaignMember[] {
  const at = new Map(events.flatMap((event) => (event.kind === 'not-me' ? [[event.userId, event.at] as const] : [])));
  return campaign.members.filter((member) => {
    const saidAt = at.get(member.userId);
    return saidAt !== undefined && personOf(member, campaign, saidAt).state === 'open';
  });
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
