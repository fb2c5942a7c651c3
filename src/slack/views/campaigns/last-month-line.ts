import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { lastMonthDays } from '../../../features/campaigns/operations/campaign-words.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';
import { countOf, listed, say } from '../../../domain/said.ts';
import { md, type Mrkdwn } from '../blocks/mrkdwn.ts';

const minuteMs = 60_000;

/** What a campaign that stands would have cost last month. */
export function lastMonthLine({ lastMonth, takesMinutes }: Pick<CampaignPlan, 'lastMonth' | 'takesMinutes'>): Mrkdwn[] {
  if (lastMonth === undefined) return [];
  const { asks, reminders, written, escalations, toTake } = lastMonth;
  if (toTake === 0) return [md`• Had it started ${lastMonthDays} days ago, nobody would have had to take the quiz.`];
  const people = countOf(toTake, 'person', 'people');
  const taken =
    takesMinutes === undefined
      ? md`• Had it started ${lastMonthDays} days ago, ${people} would have had to take the quiz by now.`
      : md`• Had it started ${lastMonthDays} days ago, ${people} would have had to take the quiz by now, ${roughDuration(toTake * takesMinutes * minuteMs)} in all.`;
  const sent = [
    ...(asks > 0 ? [countOf(asks, 'message', 'messages')] : []),
    ...(reminders > 0 ? [countOf(reminders, 'reminder', 'reminders')] : []),
  ];
  const messages = sent.length === 0 ? [] : [say`${listed(sent)} for ${countOf(written, 'person', 'people')}`];
  const lists = escalations === 0 ? [] : [countOf(escalations, 'escalation', 'escalations')];
  return [md`${taken} ${sentSentence([...messages, ...lists])}`];
}

function sentSentence([first, second]: readonly string[]): Mrkdwn {
  if (first === undefined) return md`It would have sent nothing.`;
  return second === undefined ? md`It would have sent ${first}.` : md`It would have sent ${first}, and ${second}.`;
}
