import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import type { Subscription, SubscriptionSpec } from '../../../domain/subscription.ts';
import { resumeAlerts } from '../../../features/alerts/operations/pause-and-resume.ts';
import { formatSubscriptionSpec } from '../../../features/alerts/operations/spec-line.ts';
import { specWords } from '../../../operations/subscription-words.ts';
import { closedReason } from '../../errors.ts';
import { amount, asSaid, joinSaid, say, channelMention, mention } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';

const longestSpec = 250;

/** Which submissions, and how they are delivered: `*Fire safety*: failed only, one message per submission`. */
export function specLine(spec: Omit<SubscriptionSpec, 'channelId'>): string {
  const quiz = spec.quiz === null ? say`Every quiz` : say`*${shownQuizName(spec.quiz.name)}*`;
  return say`${quiz}: ${specText(spec)}`;
}

/** The same without the quiz: `failed only, one message per submission`. */
export function specText(spec: Omit<SubscriptionSpec, 'channelId'>): string {
  return shortName(specWords(spec).join(', '), longestSpec);
}

/** Greets a channel: which results it gets from now on, who subscribed it, and how to change that. */
export function subscribedMessage(subscription: Subscription): Message {
  const { ownerId, quiz } = subscription;
  const who = ownerId === null ? say`The bot’s configuration` : mention(ownerId);
  const spec = specText(subscription);
  const greeting =
    quiz === null
      ? say`🔔 ${who} subscribed this channel to results of every quiz: ${spec}`
      : say`🔔 ${who} subscribed this channel to results of *${shownQuizName(quiz.name)}*: ${spec}`;
  const typed = joinSaid([asSaid('/quiz-alerts subscribe'), shortName(formatSubscriptionSpec(subscription), 450)], ' ');
  return {
    text: greeting,
    blocks: [
      section(greeting),
      context(
        say`To pause or unsubscribe: \`/quiz-alerts list\`. To subscribe another channel the same way, type there: \`${typed}\``,
      ),
    ],
  };
}

/** Tells an owner why Slack does not let the bot post in the channel (by Slack's error code), and how to resume the alerts. */
export function pausedMessage(subscription: Subscription, code: string, waiting: number): Message {
  const { why, remedyThenResume } = closedReason(code);
  const heading = say`⏸️ Alerts in ${channelMention(subscription.channelId)} are paused: ${asSaid(shortName(why, 200))}.`;
  const kept =
    waiting === 0
      ? say`Submissions are kept for 7 days.`
      : say`Submissions are kept for 7 days, and ${amount(waiting)} ${waiting === 1 ? 'is' : 'are'} waiting.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      section(say`${asSaid(shortName(remedyThenResume, 200))} ${kept}`),
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
