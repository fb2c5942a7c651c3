import { formatSubscriptionSpec } from '../../operations/alerts/spec-line.ts';
import { resumeAlerts } from '../../operations/alerts/alerts.ts';
import { closedWords, specWords } from '../../operations/alerts/words.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import type { Message } from './message.ts';
import { channelMention, context, md, mention, section, shortText, type Mrkdwn } from './mrkdwn.ts';
import { shownQuizName } from './shown-name.ts';

type Wished = Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

const longestGrade = 100;

/** What is heard of, and how: `*Fire safety*, only failed, a message each`. */
export function wishLine(wished: Wished): Mrkdwn {
  const quiz = wished.quiz === null ? 'Every quiz' : shownQuizName(wished.quiz.name);
  return md`*${quiz}*, ${shortText(specWords(wished).join(', '), longestGrade + 150)}`;
}

/** Tells a channel what it hears of from now on, because of whom, and how that is changed. */
export function subscribedMessage(subscription: Subscription): Message {
  const who = subscription.ownerId === null ? md`The configuration` : mention(subscription.ownerId);
  const said = md`🔔 ${who} has this channel told of submitted quizzes: ${wishLine(subscription)}`;
  const typed = shortText(`/quiz-alerts subscribe ${formatSubscriptionSpec(subscription)}`, 500);
  return {
    text: said.mrkdwn,
    blocks: [
      section(said),
      context(md`\`/quiz-alerts list\` shows all this channel hears of, with buttons to pause and end it. The same for another channel, typed there: \`${typed}\``),
    ],
  };
}

/** Tells the owner that Slack does not let the bot post in the channel, by its error, what to do, and how to go on. */
export function pausedMessage(subscription: Subscription, code: string, waiting: number): Message {
  const { why, mend } = closedWords(code);
  const what = md`⏸️ Alerts in ${channelMention(subscription.channelId)} are paused: ${shortText(why, 200)}.`;
  const kept = waiting === 0 ? md`What comes meanwhile` : md`What was not posted (${countOf(waiting, 'submission', 'submissions')}) and what comes meanwhile`;
  return {
    text: what.mrkdwn,
    blocks: [
      section(what),
      section(md`${wishLine(subscription)}\n${shortText(mend.replace('try again', 'press Resume'), 200)} ${kept} is kept for 7 days.`),
      {
        type: 'actions',
        elements: operationButton('resume', { text: 'Resume', doing: 'beside', operation: resumeAlerts, raw: { subscription: [subscription.id] }, style: 'primary' }),
      },
    ],
  };
}
