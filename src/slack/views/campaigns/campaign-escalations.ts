import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import { moment } from '../../../time/date-words.ts';
import type { Button, KnownBlock } from '@slack/types';
import type { Announcement, CampaignEscalation } from '../../../domain/announcement.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { takeButton } from '../direct-message.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { nameList } from '../../../features/campaigns/pages/words.ts';

/** Of one campaign; of each of several. */
const namesAtMost = 40;
const namesOfEachAtMost = 10;

/** Tells a lead who still has to take quizzes; the lead can be among them. */
export function campaignEscalationsMessage({
  escalations,
  timeZone,
}: Extract<Announcement, { kind: 'campaign-escalations' }>): Message {
  const [only] = escalations.length === 1 ? escalations : [];
  if (only) return onlyEscalation(only, timeZone);
  const heading = say`⏰ People are still missing in ${amount(escalations.length)} campaigns that you lead.`;
  const quizzes = joinSaid(
    escalations.map(({ quizName }) => say`${shownQuizName(quizName)}`),
    ', ',
  );
  const parts = escalations.map((escalation) => blocksOfEach(escalation, timeZone));
  const build = (shown: number): Message => {
    const left = escalations.length - shown;
    return {
      text: say`${heading} ${quizzes}`,
      blocks: [
        section(heading),
        ...parts.slice(0, shown).flat(),
        ...(left > 0 ? [context(say`…and ${amount(left)} more: \`/quiz-campaign list\``)] : []),
      ],
    };
  };
  return build(mostThat(escalations.length, (shown) => fitsSlack(build(shown))));
}

function onlyEscalation(escalation: CampaignEscalation, timeZone: string): Message {
  const { quizName, dueAt, names, missing } = escalation;
  const isOwn = escalation.ownQuizId !== undefined;
  const quiz = say`*${shownQuizName(quizName)}*`;
  const due = dueAt === null ? undefined : moment(dueAt, timeZone);
  const sentence =
    missing > 1 ? severalMissing(missing, quiz, due) : isOwn ? onlyYouMissing(quiz, due) : oneMissing(quiz, due);
  const heading = joinSaid([sentence, ...(isOwn && missing > 1 ? [say`You’re among them.`] : [])], ' ');
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(isOwn && missing === 1 ? [] : [section(nameList(names, { most: namesAtMost, count: missing }))]),
      ...buttonRow(buttonsOf(escalation)),
    ],
  };
}

function severalMissing(missing: number, quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ ${amount(missing)} people still have to take ${quiz}.`
    : say`⏰ ${amount(missing)} people still have to take ${quiz}, which was due ${due}.`;
}

function onlyYouMissing(quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ You’re the only person who still has to take ${quiz}.`
    : say`⏰ You’re the only person who still has to take ${quiz}, which was due ${due}.`;
}

function oneMissing(quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ 1 person still has to take ${quiz}.`
    : say`⏰ 1 person still has to take ${quiz}, which was due ${due}.`;
}

/** One of several campaigns. */
function blocksOfEach(escalation: CampaignEscalation, timeZone: string): KnownBlock[] {
  const { quizName, names, missing, ownQuizId } = escalation;
  const who = nameList(names, { most: namesOfEachAtMost, count: missing });
  const others = ownQuizId === undefined ? who : missing === 1 ? say`only you` : say`${who}. You’re among them.`;
  const quiz = shownQuizName(quizName);
  return [
    section(
      say`${joinSaid([say`*${quiz}*`, ...dueWords(escalation, timeZone)], ' · ')}\n${say`${amount(missing)} missing: ${others}`}`,
    ),
    ...buttonRow(
      buttonsOf(escalation).map((button) => ({
        ...button,
        accessibility_label: `${button.text.text} ${shortName(quizName)}`,
      })),
    ),
  ];
}

function dueWords({ dueAt }: CampaignEscalation, timeZone: string): string[] {
  return dueAt === null ? [] : [say`was due ${moment(dueAt, timeZone)}`];
}

function buttonsOf({ campaignId, takeUrl, dueAt }: CampaignEscalation): Button[] {
  return [
    ...takeButton(takeUrl),
    ...campaignButtons(campaignId, ['remind', ...(dueAt === null ? [] : (['extend'] as const)), 'excuse', 'all']),
  ];
}
