import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { lastMonthDays } from '../../../features/campaigns/operations/campaign-words.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';
import { countOf } from '../../../domain/said.ts';
import { md, type Mrkdwn } from '../blocks/mrkdwn.ts';

const minuteMs = 60_000;

/** What a campaign that stands would have cost last month. */
export function lastMonthLine({ lastMonth, takesMinutes }: Pick<CampaignPlan, 'lastMonth' | 'takesMinutes'>): Mrkdwn[] {
  if (lastMonth === undefined) return [];
  const { asks, reminders, written, escalations, toTake } = lastMonth;
  const since = `Had it started ${lastMonthDays} days ago`;
  if (toTake === 0) return [md`• ${since}, nobody would have had to take the quiz.`];
  const sent = [
    ...(asks > 0 ? [countOf(asks, 'message', 'messages')] : []),
    ...(reminders > 0 ? [countOf(reminders, 'reminder', 'reminders')] : []),
  ].join(' and ');
  const messages = sent === '' ? '' : `${sent} to ${countOf(written, 'person', 'people')}`;
  const lists = escalations === 0 ? '' : countOf(escalations, 'escalation', 'escalations');
  const both = [messages, lists].filter((words) => words !== '').join(', and ');
  const time = takesMinutes === undefined ? '' : `, ${roughDuration(toTake * takesMinutes * minuteMs)} in all`;
  return [
    md`• ${since}, ${countOf(toTake, 'person', 'people')} would have had to take the quiz by now${time}. It would have sent ${both === '' ? 'nothing' : both}.`,
  ];
}
