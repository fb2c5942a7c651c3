import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { obligationsOf } from '../../../obligations/members.ts';
import type { Announcement } from '../../../domain/announcement.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { campaignCounts, missingNames, nameList, type CampaignCounts } from './campaign-counts.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { section } from '../blocks/mrkdwn.ts';

const namesAtMost = 40;

/** The outcome of a campaign, for its channel. */
export function campaignEndMessage({ campaign, now }: Extract<Announcement, { kind: 'campaign-end' }>): Message {
  const obligations = obligationsOf(campaign, now);
  const counts = campaignCounts(campaign, now, obligations);
  const { missing, failed } = counts;
  const { reached, unreached } = missingNames(campaign, obligations, namesAtMost);
  const showsNames = campaign.board?.showsNames ?? true;
  const quiz = say`*${shownQuizName(campaign.quiz.name)}*`;
  const over =
    campaign.endedBecause === 'quiz deleted'
      ? say`🏁 The campaign for ${quiz} is over, since the quiz was deleted.`
      : say`🏁 The campaign for ${quiz} is over.`;
  const sentences = [resultWords(campaign, counts), ...otherWords(counts)].map((sentence) => say`${sentence}`);
  const heading = joinSaid([over, ...sentences], ' ');
  const late = nameList([...reached.names, ...unreached.names], {
    most: namesAtMost,
    count: reached.count + unreached.count,
    showsNames,
  });
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(missing + failed > 0
        ? [
            section(
              campaign.completeWhen === 'passed' ? say`❌ *Didn’t pass:* ${late}` : say`❌ *Didn’t submit it:* ${late}`,
            ),
          ]
        : []),
      ...(unreached.count > 0
        ? [
            section(
              say`📵 *No message reached:* ${nameList(unreached.names, { most: namesAtMost, count: unreached.count, showsNames })}`,
            ),
          ]
        : []),
      ...buttonRow(campaignButtons(campaign.id, ['report', 'all'])),
    ],
  };
}

/** Of those who had to take it: who did, and who didn’t. */
function resultWords(
  { completeWhen }: Pick<Campaign, 'completeWhen'>,
  { total, excused, done, missing, failed }: CampaignCounts,
): string {
  const of = countOf(total - excused, 'person', 'people');
  const open = missing + failed;
  const toPass = completeWhen === 'passed';
  if (total === excused) return say`Nobody had to take it.`;
  if (done === total - excused) return toPass ? say`Everyone passed: ${of}.` : say`Everyone submitted it: ${of}.`;
  if (done === 0 && open > 0)
    return toPass ? say`${amount(open)} of ${of} didn’t pass.` : say`${amount(open)} of ${of} didn’t submit it.`;
  if (open === 0) return toPass ? say`${amount(done)} of ${of} passed.` : say`${amount(done)} of ${of} submitted it.`;
  return toPass
    ? say`${amount(done)} of ${of} passed, ${amount(open)} didn’t.`
    : say`${amount(done)} of ${of} submitted it, ${amount(open)} didn’t.`;
}

/** Follows it: the others, in one sentence; empty where there are none. */
function otherWords({ excused, marking, notMe }: CampaignCounts): string[] {
  const others = [
    ...(excused > 0 ? [say`${amount(excused)} ${excused === 1 ? 'was' : 'were'} excused`] : []),
    ...(marking > 0 ? [say`${amount(marking)} ${marking === 1 ? 'waits' : 'wait'} to be marked`] : []),
    ...(notMe > 0 ? [say`${amount(notMe)} ${notMe === 1 ? 'says' : 'say'} it isn’t for them`] : []),
  ];
  return others.length === 0 ? [] : [`${others.join('; ')}.`];
}
