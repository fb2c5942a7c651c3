import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import type { Button, KnownBlock } from '@slack/types';
import type { Announcement, CampaignNotice } from '../../../domain/announcement.ts';
import { notMe, ownStep, snoozeReminders } from '../../../features/campaigns/operations/own-answers.ts';
import { amount, say, joinSaid, asSaid, channelMention, mention } from '../../../domain/said.ts';
import { closedReason } from '../../errors.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { takeButton } from '../direct-message.ts';
import { buttonRow, stepButtons } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { shortText, shortName } from '../../../domain/short-name.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** Each takes a section and a row of buttons; a message takes 50 blocks. */
const noticesAtMost = 20;
/** 300 characters as they are sent. In a message about many quizzes, less is left for each. */
const wordsAtMost = 1_500;

/** Asks the reader to take quizzes. */
export function campaignNoticesMessage({ notices, timeZone, now }: Of<'campaign-notices'>): Message {
  const [only] = notices.length === 1 ? notices : [];
  if (only) {
    const sentence = onlySentence(only, timeZone, now);
    return {
      text: sentence,
      blocks: [
        section(withWords(sentence, only, wordsAtMost)),
        ...buttonRow([...noticeButtons(only), ...snoozeButton([only])]),
      ],
    };
  }
  const quizzes = new Set(notices.map(({ quizId }) => quizId)).size;
  const heading =
    quizzes === 1
      ? say`📝 You have 1 quiz to take, for ${amount(notices.length)} campaigns.`
      : say`📝 You have ${amount(quizzes)} quizzes to take.`;
  const left = notices.length - noticesAtMost;
  const shown = notices.slice(0, noticesAtMost);
  return {
    text: say`${heading} ${joinSaid(
      notices.map((notice) => say`${shownQuizName(notice.quizName)}${twinFacts(notice, notices, timeZone, now)}`),
      ', ',
    )}`,
    blocks: [
      section(heading),
      ...shown.flatMap((notice): KnownBlock[] => [
        section(
          withWords(
            say`*${shownQuizName(notice.quizName)}* · ${joinSaid(noticeFacts(notice, timeZone, now), ' · ')}`,
            notice,
            Math.floor((2 * wordsAtMost) / shown.length),
          ),
        ),
        ...buttonRow(noticeButtons(notice)),
      ]),
      ...(left > 0 ? [context(say`…and ${amount(left)} more: \`/quiz mine\``)] : []),
      ...buttonRow(snoozeButton(notices.filter(({ isReminder }) => isReminder))),
    ],
  };
}

function onlySentence(notice: CampaignNotice, timeZone: string, now: number): string {
  const asking = askingSentence(notice, timeZone, now);
  const { validUntil } = notice;
  if (validUntil === undefined) return asking;
  const end = lastDay(validUntil, timeZone);
  return now < validUntil
    ? say`${asking} Your pass is valid until ${end}.`
    : say`${asking} Your pass was valid until ${end}.`;
}

/** A pass counts until the end of a day. */
function lastDay(validUntil: number, timeZone: string): string {
  return day(validUntil - 1, timeZone);
}

/** Where passes are to be renewed. */
function validityFact({ validUntil }: CampaignNotice, timeZone: string, now: number): string[] {
  if (validUntil === undefined) return [];
  const end = lastDay(validUntil, timeZone);
  return [now < validUntil ? say`your pass is valid until ${end}` : say`your pass was valid until ${end}`];
}

function askingSentence(
  { quizName, by, dueAt, isReminder, hasFailed, dueWas, isForThem, takesMinutes, validUntil }: CampaignNotice,
  timeZone: string,
  now: number,
): string {
  const quiz = say`*${shownQuizName(quizName)}*`;
  const due = dueAt === null ? '' : say` by ${moment(dueAt, timeZone)}`;
  if (isForThem) return say`📝 ${quiz} is for you after all: ${mention(by)} asks you to take it${due}.`;
  if (dueWas !== undefined && (dueAt === null || dueAt > now))
    return dueAt === null
      ? say`🗓️ ${quiz} has no due time any more. ${mention(by)} still asks you to ${hasFailed ? 'pass' : 'take'} it.`
      : dueWas !== null && dueAt < dueWas
        ? say`🗓️ ${quiz} is due earlier now: ${mention(by)} asks you to ${hasFailed ? 'pass' : 'take'} it${due}.`
        : say`🗓️ You have more time for ${quiz}: ${mention(by)} asks you to ${hasFailed ? 'pass' : 'take'} it${due}.`;
  if (hasFailed)
    return dueAt !== null && dueAt <= now
      ? say`⏰ ${quiz} was due ${moment(dueAt, timeZone)}, and you haven’t passed it yet. ${mention(by)} asks you to try again now.`
      : say`⏰ You haven’t passed ${quiz} yet. ${mention(by)} asks you to try again${due}.`;
  if (dueAt !== null && dueAt <= now)
    return say`⏰ ${quiz} was due ${moment(dueAt, timeZone)}. ${mention(by)} asks you to take it now.`;
  if (validUntil !== undefined && !isReminder)
    return say`🔁 ${quiz} is due again: ${mention(by)} asks you to take it${due}.`;
  if (isReminder) return say`⏰ Reminder from ${mention(by)}: please take ${quiz}${due}.`;
  const asking = say`📝 ${mention(by)} asks you to take ${quiz}${due}.`;
  return takesMinutes === undefined ? asking : say`${asking} It usually takes ${minutesWords(takesMinutes)}.`;
}

function withWords(text: string, { words }: CampaignNotice, most: number): string {
  return words === undefined ? text : say`${text}\n${quotedWords(words, most)}`;
}

/** What a person says in their own words. @param most how long they can be as they are sent */
export function quotedWords(words: string, most = wordsAtMost): string {
  return say`>“${shortText(words, most)}”`;
}

export function minutesWords(minutes: number): string {
  return minutes === 1 ? say`about a minute` : say`about ${amount(minutes)} minutes`;
}

/** What tells a notice from others about quizzes of the same name. */
function twinFacts(notice: CampaignNotice, notices: readonly CampaignNotice[], timeZone: string, now: number): string {
  const isTwin = notices.some((other) => other !== notice && other.quizName === notice.quizName);
  return isTwin ? say` (${joinSaid(sourceFacts(notice, timeZone, now), ', ')})` : '';
}

function noticeFacts(notice: CampaignNotice, timeZone: string, now: number): string[] {
  return [
    ...(notice.isForThem ? [say`for you after all`] : notice.isReminder ? [say`Reminder`] : []),
    ...(notice.hasFailed ? [say`not passed yet`] : []),
    ...sourceFacts(notice, timeZone, now),
    ...validityFact(notice, timeZone, now),
    ...(notice.takesMinutes === undefined ? [] : [say`takes ${minutesWords(notice.takesMinutes)}`]),
  ];
}

function sourceFacts({ by, dueAt, dueWas }: CampaignNotice, timeZone: string, now: number): string[] {
  const isChanged = dueWas !== undefined;
  if (dueAt === null) return [say`from ${mention(by)}`, ...(isChanged ? [say`no due time any more`] : [])];
  const due = moment(dueAt, timeZone);
  return [
    say`from ${mention(by)}`,
    dueAt <= now ? say`was due ${due}` : isChanged ? say`now due ${due}` : say`due ${due}`,
  ];
}

function noticeButtons({ campaignId, takeUrl, hasFailed }: CampaignNotice): Button[] {
  return [
    ...takeButton(takeUrl, 'take', hasFailed ? say`Take again` : say`Take quiz`),
    ...stepButtons([ownStep(say`Not me`, notMe, { campaigns: [campaignId] }, 'row')]),
  ];
}

/** Campaigns whose ids fit in the value of a button. */
const snoozedAtMost = 40;

function snoozeButton(notices: readonly CampaignNotice[]): Button[] {
  const campaignIds = notices.filter(({ isReminder }) => isReminder).map(({ campaignId }) => campaignId);
  if (campaignIds.length === 0) return [];
  const campaigns = [campaignIds.slice(0, snoozedAtMost).join(' ')];
  return stepButtons([ownStep(say`Snooze until tomorrow`, snoozeReminders, { campaigns }, 'button')]);
}

/** Tells the owner that a member says that the quiz isn’t for them. */
export function campaignNotMeMessage({ campaignId, quizName, userId, name }: Of<'campaign-not-me'>): Message {
  const sentence = say`🙋 *${listedName(name, true)}* says that *${shownQuizName(quizName)}* isn’t for them. They get no more reminders.`;
  return {
    text: sentence,
    blocks: [
      section(sentence),
      ...buttonRow(campaignButtons(campaignId, ['keepIn', 'excuse', 'all'], { people: [userId] })),
    ],
  };
}

/** Tells the owner why Slack does not let the bot post a campaign’s messages in its channel (by Slack’s error code). */
export function campaignChannelClosedMessage({
  campaignId,
  quizName,
  channelId,
  code,
}: Of<'campaign-channel-closed'>): Message {
  const { why, remedyAlone } = closedReason(code);
  const heading = say`⚠️ The campaign for *${shownQuizName(quizName)}* can’t be shown in ${channelMention(channelId)}: ${asSaid(shortName(why, 200))}.`;
  const advice = say`${asSaid(remedyAlone)} Invigilator tries again by itself, at least once an hour.`;
  return {
    text: heading,
    blocks: [section(heading), section(advice), ...buttonRow(campaignButtons(campaignId, ['all']))],
  };
}
