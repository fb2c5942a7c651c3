import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import { type Fact } from '../../../operations/page.ts';
import { drawChart, textChart } from '../blocks/chart.ts';
import { moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import type { Announcement } from '../../../domain/announcement.ts';
import type { BatchProgress } from '../../../domain/batch.ts';
import { obligationsOf } from '../../../obligations/members.ts';
import type { Obligation } from '../../../obligations/obligation.ts';
import { amount, say, joinSaid, asSaid, mention } from '../../../domain/said.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { campaignButtons, type CampaignAction } from './campaign-buttons.ts';
import { doneOverDays, validByWeek } from './campaign-chart.ts';
import { standingBlocks, standingFacts } from './standing-board.ts';
import {
  campaignCounts,
  doneWords,
  missingNames,
  nameList,
  notMeNames,
  type CampaignCounts,
} from './campaign-counts.ts';

import { factSection } from '../blocks/facts.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { progressBar } from '../blocks/progress-bar.ts';

/** Names that fit in a section, and of the people who said that the quiz isn’t for them. */
const openNamesAtMost = 40;
const unreachedNamesAtMost = 10;
const notMeNamesAtMost = 10;

/** How far a campaign is, for its channel. */
export function campaignBoardMessage({
  campaign,
  assigning,
  now,
}: Extract<Announcement, { kind: 'campaign-board' }>): Message {
  const { id, quiz, endedAt } = campaign;
  const obligations = obligationsOf(campaign, now);
  const counts = campaignCounts(campaign, now, obligations);
  const chart = campaign.standing ? validByWeek(campaign, now) : doneOverDays(campaign, now);
  const blocksWith = (draw: typeof drawChart): KnownBlock[] => [
    section(joinSaid([headingOf(campaign), progressLine(campaign, counts)], '\n')),
    ...pausedBlocks(campaign),
    factSection(campaign.standing ? standingFacts(campaign, now) : factsOf(campaign, counts, now)),
    ...(endedAt === null ? assigningBlocks(assigning, campaign.lead.timeZone) : []),
    ...(chart ? [draw(chart)] : []),
    ...(endedAt === null && campaign.standing ? standingBlocks(campaign, now) : []),
    ...(endedAt === null && !campaign.standing ? peopleBlocks(campaign, counts, { now, obligations }) : []),
    ...buttonRow(campaignButtons(id, endedAt === null ? runningActions(campaign) : ['all', 'report'])),
    context(startWords(campaign)),
  ];
  return {
    text: say`${endedAt === null ? '📋' : '🏁'} ${shownQuizName(quiz.name)}: ${doneWords(campaign, counts)}`,
    blocks: blocksWith(drawChart),
    ...(chart && { plain: blocksWith(textChart) }),
  };
}

/** Where each person has a due time of their own, there is none to move. */
function runningActions({ standing }: Campaign): CampaignAction[] {
  return standing ? ['remind', 'excuse', 'end', 'all'] : ['remind', 'extend', 'excuse', 'end', 'all'];
}

function headingOf({ quiz, endedAt }: Campaign): string {
  const name = say`*${shownQuizName(quiz.name)}*`;
  return endedAt === null ? say`📋 Campaign for ${name}` : say`🏁 The campaign for ${name} is over.`;
}

/** Why nobody gets messages for now. */
function pausedBlocks({ obstacle, endedAt, lead: { timeZone } }: Campaign): KnownBlock[] {
  if (obstacle === undefined || endedAt !== null) return [];
  const { status, by } = obstacle;
  const since = moment(obstacle.since, timeZone);
  return [
    section(
      by === undefined
        ? say`⏸️ Paused: the quiz is ${status === 'closed' ? 'closed' : 'not open'} since ${since}, so nobody gets messages.`
        : say`⏸️ Paused: the quiz is ${status === 'closed' ? 'closed' : 'not open'} by ${mention(by)} since ${since}, so nobody gets messages.`,
    ),
  ];
}

function progressLine(campaign: Campaign, counts: CampaignCounts): string {
  const { done, total, excused } = counts;
  const of = total - excused;
  return say`${progressBar(of === 0 ? 1 : done / of)} *${doneWords(campaign, counts)}*`;
}

function startWords({ ownerId, startedAt, endedAt, lead: { timeZone } }: Campaign): string {
  const start = say`Started by ${mention(ownerId)} ${moment(startedAt, timeZone)}`;
  return endedAt === null ? start : joinSaid([start, say`Ended ${moment(endedAt, timeZone)}`], ' · ');
}

/** A result is a fact only where the quiz is graded, and where the line above does not say it. */
function factsOf(
  { completeWhen, endedAt, schedule: { dueAt }, lead: { timeZone } }: Campaign,
  counts: CampaignCounts,
  now: number,
): Fact[] {
  const { excused, results, failed, missing, overdue, marking, notMe } = counts;
  return [
    [overdue > 0 && endedAt === null ? say`Overdue` : say`Missing`, amount(missing)],
    ...(failed > 0 ? [[say`Not passed`, amount(failed)] as const] : []),
    dueAt === undefined
      ? [say`Due`, say`No due time`]
      : [now < dueAt ? say`Due` : say`Was due`, moment(dueAt, timeZone)],
    ...(completeWhen === 'submitted' && results.passed + results.failed > 0
      ? [[say`Results`, say`${amount(results.passed)} passed, ${amount(results.failed)} didn’t`] as const]
      : []),
    ...(marking > 0 ? [[say`Waiting to be marked`, amount(marking)] as const] : []),
    ...(notMe > 0 ? [[say`Say it isn’t for them`, amount(notMe)] as const] : []),
    ...(excused > 0 ? [[say`Excused`, amount(excused)] as const] : []),
  ];
}

function assigningBlocks(assigning: BatchProgress | undefined, timeZone: string): KnownBlock[] {
  if (assigning === undefined) return [];
  const {
    batch: { state },
    done,
    total,
    failed,
    readyAt,
    problem,
  } = assigning;
  const failures = failed > 0 ? [say`${amount(failed)} couldn’t be assigned.`] : [];
  if (state === 'finished') return failures.map((failure) => context(say`⚠️ ${failure}`));
  if (state === 'running') {
    const running =
      readyAt === undefined
        ? say`⏳ Assigning the quiz: ${amount(done)} of ${amount(total)}.`
        : say`⏳ Assigning the quiz: ${amount(done)} of ${amount(total)}, done ${moment(readyAt, timeZone)}.`;
    return [context(joinSaid([running, ...failures], ' '))];
  }
  const why = problem === undefined ? [] : [asSaid(shortName(problem))];
  const stopped = say`⏸️ Assigning the quiz has stopped at ${amount(done)} of ${amount(total)}.`;
  return [context(joinSaid([stopped, ...why, ...failures], ' '))];
}

/** At the end, the final post names the missing people. */
function peopleBlocks(
  campaign: Campaign,
  { overdue, notMe }: CampaignCounts,
  { now, obligations }: { now: number; obligations: readonly Obligation[] },
): KnownBlock[] {
  const showsNames = campaign.board?.showsNames ?? true;
  const { reached, unreached } = missingNames(campaign, obligations, openNamesAtMost);
  const open = nameList(reached.names, { most: openNamesAtMost, count: reached.count, showsNames });
  return [
    ...(reached.count > 0
      ? [section(overdue > 0 ? say`⏰ *Overdue:* ${open}` : say`⏳ *Still to take it:* ${open}`)]
      : []),
    ...(unreached.count > 0
      ? [
          section(
            say`📵 *Can’t be reached by message:* ${nameList(unreached.names, { most: unreachedNamesAtMost, count: unreached.count, showsNames })}`,
          ),
        ]
      : []),
    ...(notMe > 0
      ? [
          section(
            say`🙋 *Say it isn’t for them:* ${nameList(notMeNames(campaign, now), { most: notMeNamesAtMost, showsNames })}`,
          ),
        ]
      : []),
  ];
}
