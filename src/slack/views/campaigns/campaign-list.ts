import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { startCampaign } from '../../../features/campaigns/operations/start-campaign.ts';
import { formStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { countOf, say, joinSaid, mention } from '../../../domain/said.ts';
import { campaignCounts, progressWords } from './campaign-counts.ts';

/** The campaigns that the reader sees, each with what they can do with it. */
export function campaignsPage(
  { campaigns, filter, left, earlier, now }: Extract<OperationResult, { kind: 'campaigns' }>,
  timeZone: string,
): Page {
  const earlierNotes =
    earlier === 0
      ? []
      : [
          say`${countOf(earlier, 'campaign', 'campaigns')} ended more than a year ago: \`/quiz-campaign list\` with the name of the quiz lists them.`,
        ];
  const steps = [formStep('Start a campaign…', startCampaign, {})];
  if (campaigns.length === 0)
    return {
      heading:
        filter !== ''
          ? say`There’s no campaign for a quiz called “${filter}” that you can see.`
          : earlier === 0
            ? say`There are no campaigns for you to see yet.`
            : say`No campaign ran in the last year.`,
      notes: earlierNotes,
      steps,
    };
  return {
    heading: say`*${countOf(campaigns.length + left, 'campaign', 'campaigns')}*`,
    parts: [
      {
        items: campaigns.map((campaign) => ({
          line: campaignLine(campaign, now, timeZone),
          about: { kind: 'campaign', of: campaign, name: campaign.quiz.name, in: 'list' },
        })),
        narrow: say`/quiz-campaign show`,
      },
    ],
    notes: [...(left > 0 ? [say`…and ${left} older.`] : []), ...earlierNotes],
    steps,
  };
}

function campaignLine(campaign: Campaign, now: number, timeZone: string): string {
  const {
    quiz,
    ownerId,
    endedAt,
    startedAt,
    standing,
    schedule: { dueAt },
  } = campaign;
  const done = say`${progressWords(campaign, campaignCounts(campaign, now))}`;
  const when =
    endedAt !== null
      ? say`ended ${day(endedAt, timeZone)}`
      : standing
        ? say`stands since ${day(startedAt, timeZone)}`
        : dueAt === undefined
          ? say`started ${day(startedAt, timeZone)}`
          : now < dueAt
            ? say`due ${moment(dueAt, timeZone)}`
            : say`was due ${moment(dueAt, timeZone)}`;
  const icon = endedAt !== null ? '🏁' : campaign.obstacle ? '⏸️' : '📋';
  return joinSaid([say`${icon} *${shownQuizName(quiz.name)}*`, done, when, say`by ${mention(ownerId)}`], ' · ');
}
