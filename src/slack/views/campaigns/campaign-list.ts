import { day, moment } from '../../../time/date-words.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { startCampaign } from '../../../features/campaigns/operations/start-campaign.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import type { Step } from '../../../operations/page.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { countOf, say, joinSaid } from '../../../domain/said.ts';
import { actionButtons, actionList, buttonRow, type ListItem } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, mention, section } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';
import { campaignCounts, progressWords } from './campaign-counts.ts';

const startStep: Step = { label: 'Start a campaign…', operation: startCampaign.name, input: {}, opensForm: true };

/** The campaigns that the reader sees, each with what they can do with it. */
export function campaignListMessage(
  { campaigns, filter, left, earlier, now }: Extract<OperationResult, { kind: 'campaigns' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const start = buttonRow(actionButtons(say`for a quiz`, [startStep], offered));
  if (campaigns.length === 0) {
    const nothing =
      filter === ''
        ? earlier === 0
          ? say`There are no campaigns for you to see yet.`
          : say`No campaign ran in the last year.`
        : say`There’s no campaign for a quiz called “${filter}” that you can see.`;
    return { text: nothing, blocks: [section(nothing), ...earlierLine(earlier), ...start] };
  }
  const stepsFor = stepsBeside('campaign', 'list');
  const items = campaigns.map((campaign): ListItem => ({
    line: campaignLine(campaign, now, timeZone),
    actions: stepsFor(campaign),
  }));
  const below = [...(left > 0 ? [context(say`…and ${left} older.`)] : []), ...earlierLine(earlier), ...start];
  return actionList(say`*${countOf(campaigns.length + left, 'campaign', 'campaigns')}*`, items, {
    offered,
    narrow: say`/quiz-campaign show`,
    below,
  });
}

function earlierLine(earlier: number) {
  if (earlier === 0) return [];
  return [
    context(
      say`${countOf(earlier, 'campaign', 'campaigns')} ended more than a year ago: \`/quiz-campaign list\` with the name of the quiz lists them.`,
    ),
  ];
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
