import type { Note } from '../../../domain/note.ts';
import { amount, asSaid, channelMention, countOf, joinSaid, mention, say, shortName } from '../../../domain/said.ts';
import { isPaused, type Subscription, type SubscriptionSpec } from '../../../domain/subscription.ts';
import { formStep, runStep, type Item, type Page } from '../../../operations/page.ts';
import type { SubscriptionState } from '../../../operations/services/features.ts';
import type { ClosedReason } from '../../../operations/services/platform.ts';
import { specWords } from '../../../operations/fields/subscription.ts';
import { inLanguage } from '../operations/alert-words.ts';
import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { moment } from '../../../time/date-words.ts';
import type { Language } from '../../../words/languages.ts';
import { pauseAlerts, resumeAlerts, testAlerts } from '../operations/pause-and-resume.ts';
import { formatSubscriptionSpec } from '../operations/spec.ts';
import { subscribeChannel, unsubscribeChannel } from '../operations/subscribe-and-unsubscribe.ts';

/** Which submissions, and how they are delivered: `*Fire safety*: failed only, one message per submission`. */
function specLine(spec: Omit<SubscriptionSpec, 'channelId'>): string {
  const quiz = spec.quiz === null ? say`Every quiz` : say`*${shownQuizName(spec.quiz.name)}*`;
  return say`${quiz}: ${specText(spec)}`;
}

/** The same without the quiz: `failed only, one message per submission`. */
export function specText(spec: Omit<SubscriptionSpec, 'channelId'>): string {
  return shortName(specWords(spec).join(', '), longestSpec);
}

/** In UTF-16 units. */
const longestSpec = 250;

/** Greets a channel: which results it gets from now on, who subscribed it, and how to change that. */
export function subscribedNote(subscription: Subscription): Note {
  const { ownerId, quiz } = subscription;
  const who = ownerId === null ? say`The bot’s configuration` : mention(ownerId);
  const spec = specText(subscription);
  const typed = joinSaid([asSaid('/quiz-alerts subscribe'), shortName(formatSubscriptionSpec(subscription), 450)], ' ');
  return {
    heading:
      quiz === null
        ? say`🔔 ${who} subscribed this channel to results of every quiz: ${spec}`
        : say`🔔 ${who} subscribed this channel to results of *${shownQuizName(quiz.name)}*: ${spec}`,
    notes: [
      say`To pause or unsubscribe: \`/quiz-alerts list\`. To subscribe another channel the same way, type there: \`${typed}\``,
    ],
  };
}

/** Tells an owner why the platform does not let the bot post in the channel, and how to resume the alerts. */
export function pausedNote(subscription: Subscription, waiting: number, { why, remedy }: ClosedReason): Note {
  const kept =
    waiting === 0
      ? say`Submissions are kept for 7 days.`
      : say`Submissions are kept for 7 days, and ${amount(waiting)} ${waiting === 1 ? 'is' : 'are'} waiting.`;
  return {
    heading: say`⏸️ Alerts in ${channelMention(subscription.channelId)} are paused: ${asSaid(why)}.`,
    parts: [{ lines: [say`${remedy} Then press *Resume*. ${kept}`] }],
    notes: [specLine(subscription)],
    steps: [{ ...runStep(say`Resume`, resumeAlerts, { subscription: [subscription.id] }), style: 'primary' }],
  };
}

/** A message has room for no more rows of buttons. */
const buttonsAtMost = 22;

/** The subscriptions of a channel and of a person elsewhere, with the numbers that commands name them by. */
interface ListedAlerts {
  channelId: string | undefined;
  /** Of the channel, where it isn’t the default one. */
  language?: Language | undefined;
  alerts: readonly SubscriptionState[];
  /** How many there are in other channels. */
  elsewhere: number;
  /** Why the service could not be asked which quizzes there are. */
  unread?: string | undefined;
}

interface ListReader {
  now: number;
  closedReason: (code: string) => ClosedReason;
  /** The quiz of a subscription was deleted. */
  isGone: (subscription: Subscription) => boolean;
}

export function alertsPage({ alerts, channelId, language, elsewhere, unread }: ListedAlerts, reader: ListReader): Page {
  return {
    heading:
      alerts.length > 0
        ? say`*${countOf(alerts.length, 'subscription', 'subscriptions')}*`
        : channelId === undefined
          ? say`You have no subscriptions.`
          : say`This channel has no subscriptions.`,
    parts: [
      { notes: [language && say`This channel’s messages are ${asSaid(inLanguage(language))}.`] },
      {
        items: alerts.map((state, index) => listedItem(state, index + 1, channelId, reader)),
        buttonsBelow: true,
        most: buttonsAtMost,
        rest: say`Type \`/quiz-alerts list\` in a channel to see its subscriptions.`,
      },
    ],
    notes: [
      unread,
      elsewhere > 0 &&
        say`${countOf(elsewhere, 'subscription', 'subscriptions')} in other channels: \`/quiz-alerts list all\``,
    ],
    steps: [formStep(say`Subscribe…`, subscribeChannel, {})],
  };
}

function listedItem(
  { subscription, waiting }: SubscriptionState,
  number: number,
  channelId: string | undefined,
  { now, isGone, ...reader }: ListReader,
): Item {
  const input = { subscription: [subscription.id] };
  const isResting = isPaused(subscription, now);
  const isOver = isGone(subscription);
  const where = subscription.channelId === channelId ? [] : [say`in ${channelMention(subscription.channelId)}`];
  const owner =
    subscription.ownerId === null
      ? say`set up in the bot’s configuration`
      : say`subscribed by ${mention(subscription.ownerId)}`;
  const pause = isOver ? [say`its quiz was deleted`] : isResting ? [pauseWords(subscription.pause, reader)] : [];
  const waits = waiting > 0 ? [say`${countOf(waiting, 'submission', 'submissions')} waiting`] : [];
  return {
    line: say`${isOver ? '🔕' : isResting ? '⏸️' : '🔔'} *${number}.* ${specLine(subscription)}\n${joinSaid([...where, owner, ...pause, ...waits], ' · ')}`,
    steps: [
      ...(isOver
        ? []
        : [
            isResting ? runStep(say`Resume`, resumeAlerts, input) : runStep(say`Pause`, pauseAlerts, input),
            runStep(say`Test`, testAlerts, input),
          ]),
      ...(subscription.ownerId === null ? [] : [runStep(say`Unsubscribe`, unsubscribeChannel, input)]),
    ],
  };
}

function pauseWords(pause: Subscription['pause'], { closedReason }: Pick<ListReader, 'closedReason'>): string {
  if (pause === null) return say`not paused`;
  if (pause.by === null) return say`paused: ${asSaid(closedReason(pause.code ?? '').why)}`;
  return pause.until === null
    ? say`paused by ${mention(pause.by)}`
    : say`paused by ${mention(pause.by)} until ${moment(pause.until)}`;
}
