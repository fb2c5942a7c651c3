import { byName } from '../../domain/record-names.ts';
import { minuteMs, dayMs, weekMs } from '../../domain/durations.ts';
import type { CampaignWeek, FailedQuestion } from '../../domain/announcement.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { campaignsQueue, directMessages, personQueue } from '../../domain/queues.ts';
import type { SharedState } from '../../durable/mail.ts';
import { groupsOf, inState, peopleOf, resultOf } from '../../obligations/people.ts';
import type { User } from '../../quiz-api/records.ts';
import type { Outbox } from '../../storage/storage.ts';
import { createRarely } from '../../time/timers.ts';
import { eventEntry, type CampaignLists, type StoredList } from './campaign-service.ts';
import { responsibleIn, type Responsible } from './messages.ts';
import { latestCampaign } from './stored-campaign.ts';

const looksEveryMs = 5 * minuteMs;
/** 4 January 1970 was a Sunday. Where it is Monday first, it begins at 10:00 of a Sunday in UTC. */
const firstSunday = 3 * dayMs;

/** Tells those who answer for campaigns about the week. */
export function createMonday(deps: {
  lists: CampaignLists;
  shared: SharedState;
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  owner: (campaign: Pick<Campaign, 'ownerId' | 'quiz'>) => Promise<Responsible['owner']>;
  users: () => Promise<readonly User[]>;
  answers: {
    /** Of the attempts at a quiz whose answers are known. */
    mostFailed: (quizId: string) => Promise<FailedQuestion | undefined>;
    /** Has those read in the background that are not known. */
    changed: (quizId: string) => Promise<void>;
  };
  now: () => number;
}) {
  const { lists, shared, outbox, now } = deps;
  const isTimeToLook = createRarely({ everyMs: looksEveryMs, now });

  const running = async (teamId: string) => (await lists.recent(teamId)).filter(({ endedAt }) => endedAt === null);

  /** Users who may see the results. */
  async function answeringFor(campaign: CampaignSummary): Promise<readonly string[]> {
    const [owner, users] = await Promise.all([deps.owner(campaign), deps.users()]);
    const { lead } = responsibleIn(campaign, owner, users);
    return owner.isAble && owner.userId !== undefined ? [owner.userId, ...lead.userIds] : lead.userIds;
  }

  return {
    /** Puts the message of the week into their mailboxes, once a week, before Monday begins anywhere. */
    async upkeep(teamId: string): Promise<void> {
      if (!isTimeToLook()) return;
      const at = now();
      const sunday = firstSunday + Math.floor((at - firstSunday) / weekMs) * weekMs;
      const isSent = (list: StoredList | undefined) => list === undefined || (list.weekAt ?? 0) >= sunday;
      const queue = campaignsQueue(teamId);
      const known = await shared.read<StoredList>(queue);
      if (isSent(known)) return;
      // What began in the week is told about with the next one.
      const told = known?.weekAt === undefined ? [] : await running(teamId);
      const ids = await Promise.all(told.map(answeringFor));
      for (const quizId of new Set(told.map(({ quiz }) => quiz.id))) await deps.answers.changed(quizId);
      const put = [
        // What the message says, and what boards have said until then, is so.
        ...told.map(({ id }) => eventEntry({ teamId, id }, { kind: 'ask' }, at)),
        ...[...new Set(ids.flat())].map((userId) => ({
          queue: personQueue(teamId, userId),
          subscriptionId: directMessages,
          at,
          content: { kind: 'week' } as const,
        })),
      ];
      await shared.change<StoredList>(queue, (list) =>
        isSent(list) ? { state: list! } : { state: { ...list!, weekAt: at }, put },
      );
    },
    /** What there is to say of the campaigns that a user answers for, and may see, now. */
    async weeksOf(teamId: string, userId: string): Promise<CampaignWeek[]> {
      const weeks: CampaignWeek[] = [];
      for (const summary of await running(teamId)) {
        if (!(await answeringFor(summary)).includes(userId)) continue;
        const campaign = await latestCampaign(outbox, teamId, summary.id);
        const week = campaign?.endedAt === null ? weekOf(campaign, now()) : undefined;
        if (week) weeks.push({ ...week, failed: await deps.answers.mostFailed(campaign!.quiz.id) });
      }
      return weeks;
    },
  };
}

/** What there is to say of a campaign that runs, to who answers for it; undefined where there is nothing. */
export function weekOf(campaign: Campaign, now: number): CampaignWeek | undefined {
  const people = peopleOf(campaign, now);
  const within = (moment: number | null | undefined, from: number, to: number) =>
    moment !== null && moment !== undefined && moment > from && moment <= to;
  const valid = inState(people, 'done', 'expiring');
  const done = valid.filter(({ member }) => within(resultOf(member, campaign)?.submittedAt, now - weekMs, now));
  const late = groupsOf(campaign, now).overdue.map(({ member }) => member.name);
  const expiring = valid.filter(({ obligation }) => within(obligation.validUntil, now, now + 30 * dayMs));
  if (done.length + late.length + expiring.length === 0) return undefined;
  return {
    campaignId: campaign.id,
    quizName: campaign.quiz.name,
    done: done.length,
    late: late.toSorted(byName),
    expiring: expiring.length,
  };
}
