import type { Button, KnownBlock } from '@slack/types';
import type { Announcement, CampaignEscalation } from '../../../domain/announcement.ts';
import { amount } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { context, joinMrkdwn, md, notification, section, shortName, spoken, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';
import { takeButton } from '../direct-message.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { nameList } from './campaign-counts.ts';

/** Of one campaign; of each of several. */
const namesAtMost = 40;
const namesOfEachAtMost = 10;
/** Slack's limit for what a screen reader reads instead of a button's text. */
const longestLabel = 75;

/** Tells a lead who still has to take quizzes; the lead can be among them. */
export function campaignEscalationsMessage({
  escalations,
  timeZone,
}: Extract<Announcement, { kind: 'campaign-escalations' }>): Message {
  const [only] = escalations.length === 1 ? escalations : [];
  if (only) return onlyEscalation(only, timeZone);
  const heading = md`⏰ People are still missing in ${amount(escalations.length)} campaigns that you lead.`;
  const quizzes = joinMrkdwn(
    escalations.map(({ quizName }) => md`${shownQuizName(quizName)}`),
    ', ',
  );
  const parts = escalations.map((escalation) => blocksOfEach(escalation, timeZone));
  const build = (shown: number): Message => {
    const left = escalations.length - shown;
    return {
      text: notification(md`${heading} ${quizzes}`),
      blocks: [
        section(heading),
        ...parts.slice(0, shown).flat(),
        ...(left > 0 ? [context(md`…and ${amount(left)} more: \`/quiz-campaign list\``)] : []),
      ],
    };
  };
  return build(mostThat(escalations.length, (shown) => fitsSlack(build(shown))));
}

function onlyEscalation(escalation: CampaignEscalation, timeZone: string): Message {
  const { quizName, dueAt, names, missing } = escalation;
  const isOwn = escalation.ownQuizId !== undefined;
  const quiz = md`*${shownQuizName(quizName)}*`;
  const due = dueAt === null ? undefined : moment(new Date(dueAt), timeZone);
  const sentence =
    missing > 1 ? severalMissing(missing, quiz, due) : isOwn ? onlyYouMissing(quiz, due) : oneMissing(quiz, due);
  const heading = joinMrkdwn([sentence, ...(isOwn && missing > 1 ? [md`You’re among them.`] : [])], ' ');
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      ...(isOwn && missing === 1 ? [] : [section(nameList(names, { most: namesAtMost, count: missing }))]),
      ...buttonRow(buttonsOf(escalation)),
    ],
  };
}

function severalMissing(missing: number, quiz: Mrkdwn, due: Mrkdwn | undefined): Mrkdwn {
  return due === undefined
    ? md`⏰ ${amount(missing)} people still have to take ${quiz}.`
    : md`⏰ ${amount(missing)} people still have to take ${quiz}, which was due ${due}.`;
}

function onlyYouMissing(quiz: Mrkdwn, due: Mrkdwn | undefined): Mrkdwn {
  return due === undefined
    ? md`⏰ You’re the only person who still has to take ${quiz}.`
    : md`⏰ You’re the only person who still has to take ${quiz}, which was due ${due}.`;
}

function oneMissing(quiz: Mrkdwn, due: Mrkdwn | undefined): Mrkdwn {
  return due === undefined
    ? md`⏰ 1 person still has to take ${quiz}.`
    : md`⏰ 1 person still has to take ${quiz}, which was due ${due}.`;
}

/** One of several campaigns. */
function blocksOfEach(escalation: CampaignEscalation, timeZone: string): KnownBlock[] {
  const { quizName, names, missing, ownQuizId } = escalation;
  const who = nameList(names, { most: namesOfEachAtMost, count: missing });
  const others = ownQuizId === undefined ? who : missing === 1 ? md`only you` : md`${who}. You’re among them.`;
  const quiz = shownQuizName(quizName);
  return [
    section(
      md`${joinMrkdwn([md`*${quiz}*`, ...dueWords(escalation, timeZone)], ' · ')}\n${md`${amount(missing)} missing: ${others}`}`,
    ),
    ...buttonRow(
      buttonsOf(escalation).map((button) => ({
        ...button,
        accessibility_label: spoken(`${button.text.text} ${shortName(quizName)}`, longestLabel),
      })),
    ),
  ];
}

function dueWords({ dueAt }: CampaignEscalation, timeZone: string): Mrkdwn[] {
  return dueAt === null ? [] : [md`was due ${moment(new Date(dueAt), timeZone)}`];
}

function buttonsOf({ campaignId, takeUrl, dueAt }: CampaignEscalation): Button[] {
  return [
    ...takeButton(takeUrl),
    ...campaignButtons(campaignId, ['remind', ...(dueAt === null ? [] : (['extend'] as const)), 'excuse', 'all']),
  ];
}
