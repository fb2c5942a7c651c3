import { fromOutside } from '../../../domain/own-names.ts';
import type { Subscription, SubscriptionSpec } from '../../../domain/subscription.ts';
import { resumeAlerts } from '../../../features/alerts/operations/pause-and-resume.ts';
import { formatSubscriptionSpec } from '../../../features/alerts/operations/spec-line.ts';
import { specWords } from '../../../operations/subscription-words.ts';
import { closedReason } from '../../errors.ts';
import { amount, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { channelMention, context, md, mention, ownWords, section, shortText, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';

const longestSpec = 250;

/** Which submissions, and how they are delivered: `*Fire safety*: failed only, one message per submission`. */
export function specLine(spec: Omit<SubscriptionSpec, 'channelId'>): Mrkdwn {
  const quiz = spec.quiz === null ? md`Every quiz` : md`*${shownQuizName(spec.quiz.name)}*`;
  return md`${quiz}: ${specText(spec)}`;
}

/** The same without the quiz: `failed only, one message per submission`. */
export function specText(spec: Omit<SubscriptionSpec, 'channelId'>): string {
  return shortText(specWords(spec).join(', '), longestSpec);
}

/** Greets a channel: which results it gets from now on, who subscribed it, and how to change that. */
export function subscribedMessage(subscription: Subscription): Message {
  const { ownerId, quiz } = subscription;
  const who = ownerId === null ? md`The bot’s configuration` : mention(ownerId);
  const spec = specText(subscription);
  const greeting =
    quiz === null
      ? md`🔔 ${who} subscribed this channel to results of every quiz: ${spec}`
      : md`🔔 ${who} subscribed this channel to results of *${shownQuizName(quiz.name)}*: ${spec}`;
  const typed = ownWords(shortText(`/quiz-alerts subscribe ${fromOutside(formatSubscriptionSpec(subscription))}`, 500));
  return {
    text: greeting.mrkdwn,
    blocks: [
      section(greeting),
      context(
        md`To pause or unsubscribe: \`/quiz-alerts list\`. To subscribe another channel the same way, type there: \`${typed}\``,
      ),
    ],
  };
}

/** Tells an owner why Slack does not let the bot post in the channel (by Slack's error code), and how to resume the alerts. */
export function pausedMessage(subscription: Subscription, code: string, waiting: number): Message {
  const { why, remedyThenResume } = closedReason(code);
  const heading = md`⏸️ Alerts in ${channelMention(subscription.channelId)} are paused: ${ownWords(shortText(why, 200))}.`;
  const kept =
    waiting === 0
      ? say`Submissions are kept for 7 days.`
      : say`Submissions are kept for 7 days, and ${amount(waiting)} ${waiting === 1 ? 'is' : 'are'} waiting.`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      section(md`${ownWords(shortText(remedyThenResume, 200))} ${kept}`),
      context(specLine(subscription)),
      {
        type: 'actions',
        elements: operationButton('resume', {
          text: say`Resume`,
          doing: 'beside',
          operation: resumeAlerts,
          raw: { subscription: [subscription.id] },
          style: 'primary',
        }),
      },
    ],
  };
}
