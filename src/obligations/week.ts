import type { CampaignWeek } from '../domain/announcement.ts';
import type { Campaign } from '../domain/campaign.ts';
import { inState, peopleOf, resultOf } from './people.ts';

const dayMs = 24 * 60 * 60_000;

/** What there is to say of a campaign that runs, to who answers for it; undefined where there is nothing. */
export function weekOf(campaign: Campaign, now: number): CampaignWeek | undefined {
  const people = peopleOf(campaign, now);
  const within = (moment: number | null | undefined, from: number, to: number) =>
    moment !== null && moment !== undefined && moment > from && moment <= to;
  const valid = inState(people, 'done', 'expiring');
  const done = valid.filter(({ member }) => within(resultOf(member, campaign)?.submittedAt, now - 7 * dayMs, now));
  const late = inState(people, 'overdue', 'expired').map(({ member }) => member.name);
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

const byName = new Intl.Collator('en', { numeric: true }).compare;
