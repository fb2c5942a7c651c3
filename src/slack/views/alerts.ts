import { formatSubscriptionSpec } from '../../operations/alerts/spec-line.ts';
import { resumeAlerts } from '../../operations/alerts/alerts.ts';
import { specWords } from '../../operations/subscription-words.ts';
import type { Subscription, SubscriptionSpec } from '../../domain/subscription.ts';
import { closedReason } from '../errors.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import type { Message } from './message.ts';
import { channelMention, context, md, mention, section, shortText, type Mrkdwn } from './mrkdwn.ts';
import { shownQuizName } from './shown-name.ts';

const longestGrade = 100;

/** Which submissions, and how they are delivered: `*Fire safety*, only failed, a message each`. */
export function specLine(spec: Omit<SubscriptionSpec, 'channelId'>): Mrkdwn {
  const quiz = spec.quiz === null ? 'Every quiz' : shownQuizName(spec.quiz.name);
  return md`*${quiz}*, ${shortText(specWords(spec).join(', '), longestGrade + 150)}`;
}

/** Greets a channel: which submissions it gets from now on, who subscribed it, and how to change that. */
export function subscribedMessage(subscription: Subscription): Message {
  const who = subscription.ownerId === null ? md`The configuration` : mention(subscription.ownerId);
  const said = md`🔔 ${who} has this channel told of submitted quizzes: ${specLine(subscription)}`;
  const typed = shortText(`/quiz-alerts subscribe ${formatSubscriptionSpec(subscription)}`, 500);
  return {
    text: said.mrkdwn,
    blocks: [
      section(said),
      context(md`\`/quiz-alerts list\` shows all this channel hears of, with buttons to pause and end it. The same for another channel, typed there: \`${typed}\``),
    ],
  };
}

/** Tells an owner why Slack does not let the bot post in the channel (by Slack's error code), and how to resume the alerts. */
export function pausedMessage(subscription: Subscription, code: string, waiting: number): Message {
  const { why, remedy } = closedReason(code);
  const what = md`⏸️ Alerts in ${channelMention(subscription.channelId)} are paused: ${shortText(why, 200)}.`;
  const kept = waiting === 0 ? md`What comes meanwhile` : md`What was not posted (${countOf(waiting, 'submission', 'submissions')}) and what comes meanwhile`;
  return {
    text: what.mrkdwn,
    blocks: [
      section(what),
      section(md`${specLine(subscription)}\n${shortText(remedy.replace('try again', 'press Resume'), 200)} ${kept} is kept for 7 days.`),
      {
        type: 'actions',
        elements: operationButton('resume', { text: 'Resume', doing: 'beside', operation: resumeAlerts, raw: { subscription: [subscription.id] }, style: 'primary' }),
      },
    ],
  };
}
