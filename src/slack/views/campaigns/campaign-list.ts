import type { Campaign } from '../../../domain/campaign.ts';
import { startCampaign } from '../../../features/campaigns/operations/start-campaign.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import type { NextStep, OperationResult } from '../../../operations/operation-result.ts';
import { countOf, say } from '../../../domain/said.ts';
import { actionButtons, actionList, buttonRow, type ListItem } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { day, moment } from '../blocks/moments.ts';
import { context, joinMrkdwn, md, mention, section, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';
import { campaignCounts, progressWords } from './campaign-counts.ts';

const startStep: NextStep = { label: 'Start a campaign…', operation: startCampaign.name, input: {}, opensForm: true };

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
          ? md`There are no campaigns for you to see yet.`
          : md`No campaign ran in the last year.`
        : md`There’s no campaign for a quiz called “${filter}” that you can see.`;
    return { text: nothing.mrkdwn, blocks: [section(nothing), ...earlierLine(earlier), ...start] };
  }
  const stepsFor = stepsBeside('campaign', 'list');
  const items = campaigns.map((campaign): ListItem => ({
    line: campaignLine(campaign, now, timeZone),
    actions: stepsFor(campaign),
  }));
  const below = [...(left > 0 ? [context(md`…and ${left} older.`)] : []), ...earlierLine(earlier), ...start];
  return actionList(md`*${countOf(campaigns.length + left, 'campaign', 'campaigns')}*`, items, {
    offered,
    narrow: md`/quiz-campaign show`,
    below,
  });
}

function earlierLine(earlier: number) {
  if (earlier === 0) return [];
  return [
    context(
      md`${countOf(earlier, 'campaign', 'campaigns')} ended more than a year ago: \`/quiz-campaign list\` with the name of the quiz lists them.`,
    ),
  ];
}

function campaignLine(campaign: Campaign, now: number, timeZone: string): Mrkdwn {
  const {
    quiz,
    ownerId,
    endedAt,
    startedAt,
    standing,
    schedule: { dueAt },
  } = campaign;
  const done = md`${progressWords(campaign, campaignCounts(campaign, now))}`;
  const when =
    endedAt !== null
      ? md`ended ${day(new Date(endedAt), timeZone)}`
      : standing
        ? md`stands since ${day(new Date(startedAt), timeZone)}`
        : dueAt === undefined
          ? md`started ${day(new Date(startedAt), timeZone)}`
          : now < dueAt
            ? md`due ${moment(new Date(dueAt), timeZone)}`
            : md`was due ${moment(new Date(dueAt), timeZone)}`;
  const icon = endedAt !== null ? '🏁' : campaign.obstacle ? '⏸️' : '📋';
  return joinMrkdwn([md`${icon} *${shownQuizName(quiz.name)}*`, done, when, md`by ${mention(ownerId)}`], ' · ');
}
