import type { KnownBlock } from '@slack/types';
import type { Campaign } from '../../../domain/campaign.ts';
import { repeatsAt } from '../../../features/campaigns/operations/repeat-time.ts';
import { moment } from '../blocks/moments.ts';
import type { Announcement } from '../../../domain/announcement.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { campaignCounts, missingNames, nameList, type CampaignCounts } from './campaign-counts.ts';
import { countOf } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { md, notification, section } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';

const namesAtMost = 40;

/** The outcome of a campaign, for its channel. */
export function campaignEndMessage({ campaign, now }: Extract<Announcement, { kind: 'campaign-end' }>): Message {
  const counts = campaignCounts(campaign, now);
  const { missing, failed } = counts;
  const { reached, unreached } = missingNames(campaign, now);
  const showsNames = campaign.board?.showsNames ?? true;
  const over = campaign.endedBecause === 'quiz deleted' ? 'is over, since the quiz was deleted' : 'is over';
  const heading = md`🏁 The campaign for *${shownQuizName(campaign.quiz.name)}* ${over}. ${resultWords(campaign, counts)}${otherWords(counts)}`;
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      ...(missing + failed > 0
        ? [
            section(
              md`❌ *${campaign.completeWhen === 'passed' ? 'Didn’t pass' : 'Didn’t submit it'}:* ${nameList([...reached, ...unreached], { most: namesAtMost, showsNames })}`,
            ),
          ]
        : []),
      ...(unreached.length > 0
        ? [section(md`📵 *No message reached:* ${nameList(unreached, { most: namesAtMost, showsNames })}`)]
        : []),
      ...repeatBlocks(campaign),
      ...buttonRow(
        campaignButtons(campaign.id, ['report', 'all', ...(isRepeated(campaign) ? (['stop'] as const) : [])]),
      ),
    ],
  };
}

/** Of those who had to take it: who did, and who didn’t. */
function resultWords(
  { completeWhen }: Pick<Campaign, 'completeWhen'>,
  { total, excused, done, missing, failed }: CampaignCounts,
): string {
  const of = countOf(total - excused, 'person', 'people');
  const [did, didNot] = completeWhen === 'passed' ? ['passed', 'didn’t pass'] : ['submitted it', 'didn’t submit it'];
  const open = (missing + failed).toLocaleString('en');
  if (done === total - excused) return done === 0 ? 'Nobody had to take it.' : `Everyone ${did}: ${of}.`;
  if (done === 0 && missing + failed > 0) return `${open} of ${of} ${didNot}.`;
  return `${done.toLocaleString('en')} of ${of} ${did}${missing + failed > 0 ? `, ${open} didn’t` : ''}.`;
}

/** Follows it: the others, in one sentence. */
function otherWords({ excused, marking, notMe }: CampaignCounts): string {
  const others = [
    ...(excused > 0 ? [`${countOf(excused, 'was', 'were')} excused`] : []),
    ...(marking > 0 ? [`${countOf(marking, 'waits', 'wait')} to be marked`] : []),
    ...(notMe > 0 ? [`${countOf(notMe, 'says', 'say')} it isn’t for them`] : []),
  ];
  return others.length === 0 ? '' : ` ${others.join('; ')}.`;
}

function isRepeated({ repeats, endedBecause }: Campaign): boolean {
  return repeats !== null && endedBecause === undefined;
}

/** When it goes on, and for whom. */
function repeatBlocks(campaign: Campaign): KnownBlock[] {
  if (!isRepeated(campaign)) return [];
  const at = moment(new Date(repeatsAt(campaign)), campaign.lead.timeZone);
  return [section(md`🔁 It goes on ${at}, for the people who are in it and in its groups then.`)];
}
