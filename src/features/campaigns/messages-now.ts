import { personOf } from '../../obligations/people.ts';
import type { LateReport } from '../../domain/announcement.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage } from '../../domain/queue-entry.ts';
import { campaignQueue } from '../../domain/queue-names.ts';
import type { Outbox } from '../../storage/storage.ts';
import { escalation } from './escalations.ts';
import { applyEvents } from './events.ts';
import { noticeTo } from './messages.ts';
import { takingInNote } from './news.ts';
import { askedForMs, lateMembers } from './next-step.ts';
import { goneEvents, type ReadCampaign } from './read-campaign.ts';
import { latestState } from './stored-campaign.ts';

const restsAtMost = 50;

/**
 * Decides what a message says when its turn comes: meanwhile the person can have taken the quiz, or it is due at another time. The
 * answer is that of the campaign with all stored events. For a message that has waited, over a night for example, the campaign is
 * read once more; where the service does not answer, what is known counts.
 *
 * @param deps.take puts events into the mailbox of a campaign
 */
export function createMessagesNow({
  outbox,
  read,
  take,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  read: ReadCampaign;
  take: (campaign: Campaign, events: readonly CampaignEvent[]) => Promise<void>;
  now: () => number;
}) {
  /** Until when campaigns that were read for their messages are not read again, and what is being read. */
  const restsUntil = new Map<string, number>();
  const reading = new Map<string, Promise<Campaign>>();

  /** The campaign while it runs. `isRead`: read again where it was not read lately. Messages that come due together share a reading. */
  async function running(teamId: string, id: string, { isRead }: { isRead: boolean }): Promise<Campaign | undefined> {
    const known = await latestState(outbox, teamId, id);
    if (known === undefined || known.campaign.endedAt !== null) return undefined;
    const queue = campaignQueue(teamId, id);
    const at = now();
    if (!isRead || at - known.askedAt <= askedForMs || at < (restsUntil.get(queue) ?? 0)) return known.campaign;
    const again = reading.get(queue) ?? readAgain(known.campaign, queue).finally(() => reading.delete(queue));
    reading.set(queue, again);
    const campaign = await again;
    return campaign.endedAt === null ? campaign : undefined;
  }

  async function readAgain(campaign: Campaign, queue: string): Promise<Campaign> {
    const found = await read(campaign);
    restsUntil.set(queue, 'events' in found ? now() + askedForMs : found.askAgainAt);
    for (const oldest of [...restsUntil.keys()].slice(0, -restsAtMost)) restsUntil.delete(oldest);
    if (!('events' in found) && !found.isGone) return campaign;
    const events = 'events' in found ? found.events : goneEvents(campaign, now());
    await take(campaign, events);
    return applyEvents(campaign, events);
  }

  return { messageNow, lateReports };

  async function messageNow(
    teamId: string,
    message: CampaignMessage,
    { userId, handedAt }: { userId: string; handedAt: number },
  ): Promise<CampaignMessage | undefined> {
    const isAsking = message.kind === 'campaign-notice' || message.kind === 'campaign-escalation';
    const campaign = await running(teamId, message.campaignId, { isRead: isAsking });
    if (campaign === undefined || (isAsking && campaign.obstacle !== null)) return undefined;
    switch (message.kind) {
      case 'campaign-notice': {
        const member = campaign.members.find((one) => one.userId === userId);
        const isOpen = member !== undefined && personOf(member, campaign, now()).state === 'open';
        return isOpen ? noticeTo(member, campaign, { handedAt, now: now() }) : undefined;
      }
      case 'campaign-escalation': {
        const missing = lateMembers(campaign, now()).filter(({ managerId }) => managerId === null);
        return missing.length === 0 ? undefined : escalation(campaign, missing, userId);
      }
      case 'note':
        if (!message.untilTakenIn) return message;
        return campaign.candidates === null
          ? undefined
          : { ...message, note: takingInNote(campaign, campaign.candidates) };
      default:
        return message;
    }
  }

  async function lateReports(teamId: string, managerId: string, campaignIds: readonly string[]): Promise<LateReport[]> {
    const people = new Map<string, LateReport>();
    for (const campaignId of new Set(campaignIds)) {
      const known = await running(teamId, campaignId, { isRead: false });
      if (known === undefined || lateOf(managerId, known).length === 0) continue;
      const campaign = await running(teamId, campaignId, { isRead: true });
      if (campaign === undefined) continue;
      for (const { userId, name } of lateOf(managerId, campaign)) {
        const quizzes = people.get(userId)?.quizzes ?? [];
        people.set(userId, { userId, name, quizzes: [...quizzes, { campaignId, quizName: campaign.quiz.name }] });
      }
    }
    return [...people.values()].toSorted((a, b) => byName(a.name, b.name));
  }

  /** While nobody can take the quiz, nobody is late. */
  function lateOf(managerId: string, campaign: Campaign): readonly CampaignMember[] {
    const { obstacle, rule, members } = campaign;
    if (obstacle !== null || !rule.toManagers) return [];
    return lateMembers(
      campaign,
      now(),
      members.filter((member) => member.managerId === managerId),
    );
  }
}

const byName = new Intl.Collator('en').compare;
