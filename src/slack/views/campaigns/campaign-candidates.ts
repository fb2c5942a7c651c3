import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import type { Button } from '@slack/types';
import type { Announcement } from '../../../domain/announcement.ts';
import type { Candidate } from '../../../domain/campaign.ts';
import { takeIn } from '../../../features/campaigns/operations/take-in.ts';
import { countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { section } from '../blocks/mrkdwn.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { nameList, partList } from '../../../features/campaigns/pages/words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

const namesAtMost = 10;

const reasons = {
  'many people': say`More than 20 people within an hour aren’t taken in by themselves, so look at the list first.`,
  'other people': say`The person who answers for it doesn’t train everyone on this list, so look at it first.`,
  owner: say`The person who answers for it can’t take anybody in any more. Take it over, and the bot takes in whom you may.`,
} as const satisfies Record<Candidate['why'], string>;

/** Asks who answers for a campaign to take people in who joined its groups and channels. */
export function campaignCandidatesMessage({
  campaignId,
  quizName,
  names,
  count,
  why,
}: Of<'campaign-candidates'>): Message {
  const who = nameList(names, { most: namesAtMost, count });
  const quiz = say`*${shownQuizName(quizName)}*`;
  const heading =
    count === 1
      ? say`👋 ${who} joined the audience of the campaign for ${quiz}, and isn’t in it yet.`
      : say`👋 ${countOf(count, 'person', 'people')} joined the audience of the campaign for ${quiz}, and aren’t in it yet.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(count === 1 ? [] : [section(who)]),
      ...why.map((one) => section(reasons[one])),
      ...buttonRow([
        ...reviewButton(campaignId),
        ...campaignButtons(campaignId, why.includes('owner') ? ['takeOver', 'all'] : ['all']),
      ]),
    ],
  };
}

function reviewButton(campaignId: string): Button[] {
  return operationButton('take-in', {
    text: say`Review…`,
    doing: 'beside',
    operation: takeIn,
    raw: { campaign: [campaignId] },
  });
}

/** Tells who answers for a campaign that nobody can follow a part of its audience. */
export function campaignUnreadableMessage({ campaignId, quizName, parts }: Of<'campaign-unreadable'>): Message {
  const heading = say`👀 I can’t see any more who is in ${partList(parts)}, from which the campaign for *${shownQuizName(quizName)}* takes its people.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      section(
        say`Until I can, nobody leaves the campaign, and nobody joins it from there. Invite me to the channel with \`/invite @Invigilator\`, or hand the campaign over to someone who is in it.`,
      ),
      ...buttonRow(campaignButtons(campaignId, ['takeOver', 'all'])),
    ],
  };
}
