import {
  hereWords,
  subscribedResults,
  type Subscribed,
  channelWords,
  described,
  nextStep,
  isGone,
  subscriptionField,
} from './alert-words.ts';
import { amount, say } from '../../../domain/said.ts';
import { isDeepStrictEqual } from 'node:util';
import { isPaused, type Subscription, type SubscriptionSpec } from '../../../domain/subscription.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation, type Operation, ofChannel } from '../../../operations/operation.ts';
import { zoneOf } from '../../../operations/dates/typed-time.ts';
import { parseSubscription, readDelivery, readFilter, readTimeZone, specFields, specInput } from './spec.ts';
import { resumeAlerts, testAlerts } from './pause-and-resume.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { subscriptionWords } from '../../../operations/fields/subscription.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { unchanged, runStep, type OperationResult } from '../../../operations/page.ts';
import { channelInWords, resultsInWords } from '../../../operations/wording/words.ts';

/** Per channel: nobody could read more. */
const subscriptionsAtMost = 20;

export const subscribeChannel: Operation = defineOperation({
  name: 'subscribe-channel',
  opposite: 'unsubscribe-channel',
  command:
    '/quiz-alerts subscribe [quiz, or all] [passed, failed, ungraded, below 60, grade B] [each, thread, digest hourly, digest daily 08:30] [names off]',
  synonyms: ['add', 'follow', 'new'],
  summary: 'Subscribe this channel to quiz results',
  title: say`Subscribe to results`,
  isCommon: true,
  ...ofChannel,
  submit: 'Subscribe',
  fields: specFields,
  parse: parseSubscription,
  check({ filter, limit, delivery, at, time_zone }) {
    readFilter(filter, limit);
    readDelivery(delivery, at);
    if (time_zone !== undefined) readTimeZone(time_zone);
  },
  action: ({ channel, quiz }) =>
    say`subscribe ${channelInWords(channel)} to ${resultsInWords(quiz ? { id: quiz.quiz_id, name: quiz.name } : null)}`,
  effect: (_, { channel }) => say`Everyone in ${channelInWords(channel)} could read the results.`,
  async run(context, { channel, quiz, filter, limit, delivery, at, time_zone, names }) {
    const { alerts, requester } = context;
    if (quiz === undefined && !context.visibility.seesEveryQuiz) {
      throw new InvalidInputError(
        'quiz',
        say`Name one of the quizzes you train. An administrator can subscribe the channel to every quiz.`,
      );
    }
    const spec: SubscriptionSpec = {
      channelId: channel.channel_id,
      quiz: quiz ? { id: quiz.quiz_id, name: quiz.name } : null,
      filter: readFilter(filter, limit),
      delivery: readDelivery(delivery, at),
      timeZone: time_zone === undefined ? zoneOf(context) : readTimeZone(time_zone),
      showsNames: !names?.includes('off'),
    };
    const there = (await alerts.all()).filter(({ subscription }) => subscription.channelId === spec.channelId);
    const same = there.find(({ subscription }) => isSameSpec(subscription, spec))?.subscription;
    if (same) return alreadySubscribed(context, channel, same);
    if (there.length >= subscriptionsAtMost)
      throw new InvalidInputError(
        'channel',
        say`A channel can have up to ${subscriptionsAtMost} subscriptions. Unsubscribe from one first: /quiz-alerts list shows them.`,
      );
    const made = await alerts.subscribe(spec, requester.personId);
    if (!('subscription' in made)) throw new InvalidInputError('channel', made.closed);
    const { id } = made.subscription;
    return {
      kind: 'done',
      targets: [{ kind: 'subscription', id, name: subscriptionWords(made.subscription) }],
      message: subscribedMessage({ channel: channelWords(context, channel), spec }),
      next: [
        nextStep(say`Send a test`, testAlerts, made.subscription),
        nextStep(say`Undo`, unsubscribeChannel, made.subscription),
      ],
    };
  },
});

/** The answer to a request for a subscription that the channel has. */
function alreadySubscribed(context: OperationContext, channel: Channel, subscription: Subscription): OperationResult {
  const isPausedNow = isPaused(subscription, context.now());
  return unchanged(
    alreadySubscribedMessage({
      channel: channelWords(context, channel),
      spec: subscription,
      isPaused: isPausedNow,
    }),
    [
      isPausedNow
        ? nextStep(say`Resume`, resumeAlerts, subscription)
        : nextStep(say`Send a test`, testAlerts, subscription),
    ],
  );
}

export function subscribedMessage({ channel, spec }: Subscribed): string {
  return channel === hereWords
    ? say`Subscribed this channel to ${subscribedResults(spec)}.`
    : say`Subscribed ${channel} to ${subscribedResults(spec)}.`;
}

export function alreadySubscribedMessage({
  channel,
  spec,
  isPaused: isPausedNow,
}: Subscribed & { isPaused: boolean }): string {
  const results = `${subscribedResults(spec)}${isPausedNow ? ` ${say`(paused)`}` : ''}`;
  return channel === hereWords
    ? say`This channel was already subscribed to ${results}. Nothing changed.`
    : say`There was already a subscription of ${channel} to ${results}. Nothing changed.`;
}

function isSameSpec(one: SubscriptionSpec, other: SubscriptionSpec): boolean {
  const compared = ({ channelId, quiz, filter, delivery, timeZone, showsNames }: SubscriptionSpec) => [
    channelId,
    quiz?.id,
    filter,
    delivery,
    delivery.kind === 'each' ? '' : timeZone,
    showsNames,
  ];
  return isDeepStrictEqual(compared(one), compared(other));
}

export const unsubscribeChannel: Operation = defineOperation({
  name: 'unsubscribe-channel',
  opposite: 'subscribe-channel',
  command: '/quiz-alerts unsubscribe [subscription]',
  synonyms: ['unfollow', 'remove', 'delete'],
  summary: 'Unsubscribe this channel; if it has several subscriptions, by number or quiz',
  title: say`Unsubscribe`,
  ...ofChannel,
  submit: 'Unsubscribe',
  fields: { subscription: subscriptionField },
  action: ({ subscription: { subscription } }) =>
    say`unsubscribe the channel from ${resultsInWords(subscription.quiz)}`,
  effect: () => say`No results would be posted there any more.`,
  async run(context, { subscription: { subscription, waiting } }) {
    const { alerts, visibility } = context;
    if (subscription.ownerId === null)
      throw new InvalidInputError(
        'subscription',
        say`This subscription comes from the bot’s configuration (ALERTS_CHANNEL), so it ends there. You can pause it here.`,
      );
    if (!(await alerts.unsubscribe(subscription.id))) throw new InvalidInputError('subscription', isGone);
    const canUndo = subscription.quiz !== null || visibility.seesEveryQuiz;
    return {
      kind: 'done',
      message: unsubscribedMessage(described(context, subscription), waiting),
      next: canUndo ? [runStep(say`Undo`, subscribeChannel, specInput(subscription))] : [],
    };
  },
});

/** @param waiting how many submissions were not posted yet */
export function unsubscribedMessage({ channel, spec }: Subscribed, waiting: number): string {
  const unsubscribed =
    channel === hereWords
      ? say`Unsubscribed this channel from ${subscribedResults(spec)}.`
      : say`Unsubscribed ${channel} from ${subscribedResults(spec)}.`;
  if (waiting === 0) return unsubscribed;
  const dropped =
    waiting === 1
      ? say`The submission that was waiting won’t be posted.`
      : say`The ${amount(waiting)} submissions that were waiting won’t be posted.`;
  return `${unsubscribed} ${dropped}`;
}
