import type { KnownBlock } from '@slack/types';
import type { Campaign } from '../../../domain/campaign.ts';
import { repeatsAt } from '../../../features/campaigns/operations/repeat-time.ts';
import { moment } from '../blocks/moments.ts';
import type { Announcement } from '../../../domain/announcement.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { campaignCounts, doneWords, missingNames, nameList } from './campaign-counts.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { md, notification, section } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';

const namesAtMost = 40;

/** The outcome of a campaign, for its channel. */
export function campaignEndMessage({ campaign, now }: Extract<Announcement, { kind: 'campaign-end' }>): Message {
  const counts = campaignCounts(campaign, now);
  const { missing, failed, marking, excused, notMe } = counts;
  const { reached, unreached } = missingNames(campaign, now);
  const showsNames = campaign.board?.showsNames ?? true;
  const others = [
    ...(missing > 0 ? [`${missing.toLocaleString('en')} missing`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString('en')} didn’t pass`] : []),
    ...(marking > 0 ? [`${marking.toLocaleString('en')} waiting to be marked`] : []),
    ...(notMe > 0 ? [`${notMe.toLocaleString('en')} said it isn’t for them`] : []),
    ...(excused > 0 ? [`${excused.toLocaleString('en')} excused`] : []),
  ];
  const over = campaign.endedBecause === 'quiz deleted' ? 'is over, since the quiz was deleted' : 'is over';
  const heading = md`🏁 The campaign for *${shownQuizName(campaign.quiz.name)}* ${over}: ${[doneWords(campaign, counts), ...others].join(', ')}.`;
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      ...(missing + failed > 0
        ? [section(md`❌ *Missing:* ${nameList([...reached, ...unreached], { most: namesAtMost, showsNames })}`)]
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

function isRepeated({ repeats, endedBecause }: Campaign): boolean {
  return repeats !== null && endedBecause === undefined;
}

/** When it starts again, and for whom. */
function repeatBlocks(campaign: Campaign): KnownBlock[] {
  if (!isRepeated(campaign)) return [];
  const at = moment(new Date(repeatsAt(campaign)), campaign.lead.timeZone);
  return [section(md`🔁 It starts again ${at}, for the people who are in it and in its groups then.`)];
}
