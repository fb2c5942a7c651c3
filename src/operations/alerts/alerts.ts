import { isDeepStrictEqual } from 'node:util';
import { isPaused, type Subscription, type SubscriptionSpec } from '../../domain/subscription.ts';
import { InvalidInputError } from '../errors.ts';
import { visibleSubscriptions, type SubscriptionField } from '../fields/subscription.ts';
import { defineOperation, type Operation } from '../operation.ts';
import type { TextInput } from '../text-input.ts';
import { zoneOf } from '../dates/person-zone.ts';
import { timeInWords } from '../dates/typed-time.ts';
import { actions } from '../wording/actions.ts';
import { noChanges, outcomes } from '../wording/outcomes.ts';
import { proposals } from '../wording/proposals.ts';
import { alreadySubscribed, channelWords, described, nextStep } from './answers.ts';
import { parsePause, readPauseEnd } from './pause-time.ts';
import { parseSubscriptionSpec } from './spec-line.ts';
import { readDelivery, readFilter, readTimeZone, specInput } from './spec-parts.ts';

/** Per channel: nobody could read more. */
const subscriptionsAtMost = 20;

const subscriptionField = {
  kind: 'subscription',
  label: 'Subscription',
  hint: 'Its number in the list, or the quiz’s name',
} as const satisfies SubscriptionField;

const isGone = 'This subscription doesn’t exist any more. /quiz-alerts list shows the current ones.';

export const subscribeChannel = defineOperation({
  name: 'subscribe-channel',
  command:
    '/quiz-alerts subscribe [quiz, or all] [passed, failed, ungraded, below 60, grade B] [each, thread, digest hourly, digest daily 08:30] [names off]',
  summary: 'Subscribe this channel to quiz results',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Subscribe',
  fields: {
    channel: { kind: 'channel', label: 'Channel', hint: 'Invigilator must be a member: /invite @Invigilator' },
    quiz: { kind: 'quiz', label: 'Quiz', hint: 'Leave empty for every quiz', optional: true },
    filter: {
      kind: 'choice',
      label: 'Results',
      optional: true,
      usual: 'all',
      options: [
        { value: 'all', label: 'All results' },
        { value: 'passed', label: 'Passed only' },
        { value: 'failed', label: 'Failed only' },
        { value: 'ungraded', label: 'Not graded or waiting to be marked' },
        { value: 'below', label: 'Below a percentage' },
        { value: 'grade', label: 'With a certain grade' },
      ],
    },
    limit: {
      kind: 'text',
      label: 'Percentage or grade',
      maxLength: 50,
      optional: true,
      shownWhen: { field: 'filter', is: ['below', 'grade'] },
      labelWhen: {
        below: { label: 'Percentage', hint: 'For example 60' },
        grade: { label: 'Grade', hint: 'For example B' },
      },
    },
    delivery: {
      kind: 'choice',
      label: 'Delivery',
      optional: true,
      usual: 'each',
      options: [
        { value: 'each', label: 'One message per submission' },
        { value: 'thread', label: 'One thread per quiz per day' },
        { value: 'hourly', label: 'An hourly digest' },
        { value: 'daily', label: 'A daily digest' },
      ],
    },
    at: {
      kind: 'text',
      label: 'Time',
      hint: 'For example 08:30',
      maxLength: 10,
      optional: true,
      shownWhen: { field: 'delivery', is: ['daily'] },
    },
    time_zone: {
      kind: 'text',
      label: 'Time zone',
      hint: 'For example Europe/Berlin. Leave empty for your own',
      maxLength: 100,
      optional: true,
      shownWhen: { field: 'delivery', is: ['thread', 'hourly', 'daily'] },
    },
    names: {
      kind: 'flags',
      label: 'Names',
      optional: true,
      options: [{ value: 'off', label: 'Initials instead of names' }],
    },
  },
  parse: (line) => [parseSubscriptionSpec(line)],
  check({ filter, limit, delivery, at, time_zone }) {
    readFilter(filter, limit);
    readDelivery(delivery, at);
    if (time_zone !== undefined) readTimeZone(time_zone);
  },
  action: actions['subscribe-channel'],
  effect: (_, input) => proposals['subscribe-channel'](input),
  async run(context, { channel, quiz, filter, limit, delivery, at, time_zone, names }) {
    const { alerts, actor } = context;
    if (quiz === undefined && !context.visibility.seesEveryQuiz) {
      throw new InvalidInputError(
        'quiz',
        'Name one of the quizzes you train. An administrator can subscribe the channel to every quiz.',
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
        `A channel can have up to ${subscriptionsAtMost} subscriptions. Unsubscribe from one first: /quiz-alerts list shows them.`,
      );
    const made = await alerts.subscribe(spec, actor.personId);
    if ('closed' in made) throw new InvalidInputError('channel', made.closed);
    return {
      kind: 'done',
      message: outcomes['subscribe-channel']({ channel: channelWords(context, channel), spec }),
      next: [
        nextStep('Send a test', 'test-alerts', made.subscription),
        nextStep('Undo', 'unsubscribe-channel', made.subscription),
      ],
    };
  },
});

export const listAlerts = defineOperation({
  name: 'list-alerts',
  command: '/quiz-alerts list [filter]',
  summary: 'List the subscriptions of this channel, and your own elsewhere; administrators: list all',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'all, for every channel', maxLength: 20, optional: true } },
  async run(context, { filter = '' }) {
    const { alerts, actor, rights, channelId, now } = context;
    const wantsAll = filter.trim().toLowerCase() === 'all';
    if (!wantsAll && filter.trim() !== '')
      throw new InvalidInputError(
        'filter',
        `Type /quiz-alerts list, or /quiz-alerts list all. “${filter}” isn’t an option.`,
      );
    if (wantsAll && !rights.has('administrator'))
      throw new InvalidInputError(
        'filter',
        'Only administrators can list the subscriptions of all channels. This channel’s and yours: /quiz-alerts list',
      );
    const visible = visibleSubscriptions(await alerts.all(), context);
    const isNear = ({ channelId: channel, ownerId }: Subscription) =>
      channel === channelId || ownerId === actor.personId;
    const shown = visible.filter(({ subscription }) => wantsAll || isNear(subscription));
    return {
      kind: 'alerts',
      channelId,
      alerts: shown.map(({ subscription, waiting }) => ({
        subscription,
        waiting,
        isPaused: isPaused(subscription, now()),
      })),
      elsewhere: visible.length - shown.length,
    };
  },
});

export const unsubscribeChannel = defineOperation({
  name: 'unsubscribe-channel',
  command: '/quiz-alerts unsubscribe [subscription]',
  summary: 'Unsubscribe this channel; if it has several subscriptions, by number or quiz',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unsubscribe',
  fields: { subscription: subscriptionField },
  action: actions['unsubscribe-channel'],
  effect: proposals['unsubscribe-channel'],
  async run(context, { subscription: { subscription, waiting } }) {
    const { alerts, visibility } = context;
    if (subscription.ownerId === null)
      throw new InvalidInputError(
        'subscription',
        'This subscription comes from the bot’s configuration (ALERTS_CHANNEL), so it ends there. You can pause it here.',
      );
    if (!(await alerts.unsubscribe(subscription.id))) throw new InvalidInputError('subscription', isGone);
    const canUndo = subscription.quiz !== null || visibility.seesEveryQuiz;
    return {
      kind: 'done',
      message: outcomes['unsubscribe-channel']({ ...described(context, subscription), waiting }),
      next: canUndo ? [{ label: 'Undo', operation: 'subscribe-channel', input: specInput(subscription) }] : [],
    };
  },
});

export const pauseAlerts = defineOperation({
  name: 'pause-alerts',
  command: '/quiz-alerts pause [subscription] for [time]',
  summary: 'Pause alerts for 2h or 3d, until tomorrow 8am, or until someone resumes them',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Pause',
  fields: {
    subscription: subscriptionField,
    time: {
      kind: 'text',
      label: 'How long',
      hint: 'For example 2h, 3d, tomorrow 8am, friday or 1 dec. Leave it empty to pause until someone resumes.',
      maxLength: 50,
      optional: true,
    },
  },
  parse: (line) => [parsePause(line)],
  action: actions['pause-alerts'],
  effect: proposals['pause-alerts'],
  async run(context, { subscription: { subscription }, time }) {
    const { alerts, actor, now } = context;
    const timeZone = zoneOf(context);
    const end = readPauseEnd(time, { nowMs: now(), timeZone });
    const until = end === null ? 'until someone resumes them' : `until ${timeInWords(end, { nowMs: now(), timeZone })}`;
    const next = [nextStep('Resume', 'resume-alerts', subscription)];
    if (isPaused(subscription, now()) && subscription.pause?.by && subscription.pause.until === end) {
      return {
        kind: 'done',
        isNoChange: true,
        message: noChanges['pause-alerts']({ ...described(context, subscription), until }),
        next,
      };
    }
    if (!(await alerts.pause(subscription.id, actor.personId, end)))
      throw new InvalidInputError('subscription', isGone);
    return { kind: 'done', message: outcomes['pause-alerts']({ ...described(context, subscription), until }), next };
  },
});

export const resumeAlerts = defineOperation({
  name: 'resume-alerts',
  command: '/quiz-alerts resume [subscription]',
  summary: 'Resume alerts, and post what came in during the pause',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Resume',
  fields: { subscription: subscriptionField },
  action: actions['resume-alerts'],
  effect: proposals['resume-alerts'],
  async run(context, { subscription: { subscription, waiting } }) {
    const { alerts, now } = context;
    if (!isPaused(subscription, now())) {
      return {
        kind: 'done',
        isNoChange: true,
        message: noChanges['resume-alerts'](described(context, subscription)),
        next: [nextStep('Pause', 'pause-alerts', subscription)],
      };
    }
    if (!(await alerts.resume(subscription.id))) throw new InvalidInputError('subscription', isGone);
    return {
      kind: 'done',
      message: outcomes['resume-alerts']({ ...described(context, subscription), waiting }),
      next: [nextStep('Pause again', 'pause-alerts', subscription, pauseInput(subscription, now()))],
    };
  },
});

export const testAlerts = defineOperation({
  name: 'test-alerts',
  command: '/quiz-alerts test [subscription]',
  summary: 'Post a sample alert in the channel',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Send a test',
  fields: { subscription: subscriptionField },
  action: actions['test-alerts'],
  effect: (_, input) => proposals['test-alerts'](input),
  async run(context, { subscription: { subscription } }) {
    const refused = await context.alerts.test(subscription);
    if (refused) throw new InvalidInputError('subscription', refused.closed);
    return { kind: 'done', message: outcomes['test-alerts'](described(context, subscription)) };
  },
});

/** What people can do about alerts, in the order of the help. */
export const alertOperations: readonly Operation[] = [
  subscribeChannel,
  listAlerts,
  unsubscribeChannel,
  pauseAlerts,
  resumeAlerts,
  testAlerts,
];

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

/** The time that is left of a pause, as `pause-alerts` reads it; empty where the pause has no end. */
function pauseInput({ pause }: Subscription, nowMs: number): TextInput {
  return pause?.until ? { time: [`for ${Math.ceil((pause.until - nowMs) / 60_000)}m`] } : {};
}
