import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import type { Campaign } from '../../../domain/campaign.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';
import { nextRenewalAt } from '../../../obligations/standing.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { actionButtons } from '../blocks/item-actions.ts';
import { section } from '../blocks/mrkdwn.ts';
import { campaignCounts, progressWords } from './campaign-counts.ts';

const stepsOnHome = stepsBeside('campaign', 'home');

/** Campaigns that the reader started or leads, on their Home tab: a line and a button each. @param now in milliseconds since the epoch */
export function ownCampaignBlocks(
  campaigns: readonly Campaign[],
  offered: ReadonlySet<string>,
  timeZone: string,
  now: number,
): KnownBlock[] {
  return campaigns.map((campaign) => {
    const [accessory] = actionButtons(campaign.quiz.name, stepsOnHome(campaign), offered);
    return { ...section(campaignLine(campaign, timeZone, now)), ...(accessory && { accessory }) };
  });
}

function campaignLine(campaign: Campaign, timeZone: string, now: number): string {
  const counts = campaignCounts(campaign, now);
  const parts = [
    say`${campaign.obstacle ? '⏸️' : '📋'} *${shownQuizName(campaign.quiz.name)}*`,
    say`${progressWords(campaign, counts)}`,
    ...(counts.overdue > 0 ? [say`${amount(counts.overdue)} overdue`] : []),
    ...whenParts(campaign, timeZone, now),
  ];
  return joinSaid(parts, ' · ');
}

function whenParts(campaign: Campaign, timeZone: string, now: number): string[] {
  const {
    standing,
    schedule: { dueAt },
  } = campaign;
  if (standing) {
    const renewalAt = nextRenewalAt(campaign, now);
    return renewalAt === undefined ? [] : [say`next to renew ${day(renewalAt, timeZone)}`];
  }
  if (dueAt === undefined) return [];
  const due = moment(dueAt, timeZone);
  return [now < dueAt ? say`due ${due}` : say`was due ${due}`];
}
