import { isDeepStrictEqual } from 'node:util';
import { isPaused, type Subscription, type SubscriptionSpec } from '../../domain/subscription.ts';
import type { OperationContext } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import type { Channel } from '../fields/channel.ts';
import { visibleSubscriptions, type SubscriptionField } from '../fields/subscription.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { subscriptionWords } from '../subscription-words.ts';
import { parseSubscriptionSpec } from './spec-line.ts';
import { zoneOf } from '../dates/person-zone.ts';
import { timeInWords } from '../dates/typed-time.ts';
import { actions } from '../wording/actions.ts';
import { proposals } from '../wording/proposals.ts';
import { parsePause, readPauseEnd } from './pause-time.ts';
import { readDelivery, readFilter, readTimeZone } from './spec-parts.ts';

/** Per channel: nobody reads more. */
const subscriptionsAtMost = 20;

const subscriptionField = {
  kind: 'subscription',
  label: 'Which alerts',
  hint: 'Their number in the list, or the quiz’s name',
} as const satisfies SubscriptionField;

const isGone = 'These alerts are not there any more.';

export const subscribeChannel = defineOperation({
  name: 'subscribe-channel',
  command: '/quiz-alerts subscribe [quiz, or all] [passed, failed, ungraded, below 60, grade B] [each, thread, digest hourly, digest daily 08:30] [names off]',
  summary: 'Have this channel told of submitted quizzes',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Subscribe',
  fields: {
    channel: { kind: 'channel', label: 'Channel', hint: 'Invigilator must be in it: /invite @Invigilator' },
    quiz: { kind: 'quiz', label: 'Quiz', hint: 'Left empty: every quiz.', optional: true },
    filter: {
      kind: 'choice',
      label: 'Which results',
      optional: true,
      usual: 'all',
      options: [
        { value: 'all', label: 'Every result' },
        { value: 'passed', label: 'Only passed' },
        { value: 'failed', label: 'Only failed' },
        { value: 'ungraded', label: 'Only not graded or waiting to be marked' },
        { value: 'below', label: 'Only below a percentage' },
        { value: 'grade', label: 'Only with a grade' },
      ],
    },
    limit: { kind: 'text', label: 'Percentage or grade', hint: 'Only where one is asked for above, such as 60, or B.', maxLength: 50, optional: true },
    delivery: {
      kind: 'choice',
      label: 'How',
      optional: true,
      usual: 'each',
      options: [
        { value: 'each', label: 'A message each' },
        { value: 'thread', label: 'A thread a quiz and day' },
        { value: 'hourly', label: 'A digest every hour' },
        { value: 'daily', label: 'A digest daily' },
      ],
    },
    at: { kind: 'text', label: 'At', hint: 'When a daily digest comes, such as 08:30.', maxLength: 10, optional: true },
    time_zone: { kind: 'text', label: 'Time zone', hint: 'In which its days begin, such as Europe/Berlin. Left empty: yours.', maxLength: 100, optional: true },
    names: { kind: 'flags', label: 'Names', optional: true, options: [{ value: 'off', label: 'Initials instead of names' }] },
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
      throw new InvalidInputError('quiz', 'Name a quiz: you can subscribe a channel only to the quizzes you train. An administrator can subscribe it to every quiz.');
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
    const words = subscriptionWords(spec);
    if (there.some(({ subscription }) => isSameSpec(subscription, spec))) throw new InvalidInputError('channel', `${channelWords(context, channel)} hears of that already: ${words}.`);
    if (there.length >= subscriptionsAtMost) throw new InvalidInputError('channel', `A channel has at most ${subscriptionsAtMost} subscriptions: /quiz-alerts list shows those you can end.`);
    const made = await alerts.subscribe(spec, actor.personId);
    if ('closed' in made) throw new InvalidInputError('channel', made.closed);
    return { kind: 'done', message: `${channelWords(context, channel)} hears of submitted quizzes now: ${words}.` };
  },
});

export const listAlerts = defineOperation({
  name: 'list-alerts',
  command: '/quiz-alerts list [filter]',
  summary: 'What this channel hears of, and what you subscribed elsewhere; administrators: list all',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'all: of every channel', maxLength: 20, optional: true } },
  async run(context, { filter = '' }) {
    const { alerts, actor, rights, channelId, now } = context;
    const wantsAll = filter.trim().toLowerCase() === 'all';
    if (!wantsAll && filter.trim() !== '') throw new InvalidInputError('filter', `I cannot read “${filter}”: it is /quiz-alerts list, or /quiz-alerts list all.`);
    if (wantsAll && !rights.has('administrator')) throw new InvalidInputError('filter', 'Only administrators of the quiz account can list the alerts of all channels.');
    const visible = visibleSubscriptions(await alerts.all(), context);
    const isNear = ({ channelId: channel, ownerId }: Subscription) => channel === channelId || ownerId === actor.personId;
    const shown = visible.filter(({ subscription }) => wantsAll || isNear(subscription));
    return {
      kind: 'alerts',
      channelId,
      alerts: shown.map(({ subscription, waiting }) => ({ subscription, waiting, isPaused: isPaused(subscription, now()) })),
      elsewhere: visible.length - shown.length,
    };
  },
});

export const unsubscribeChannel = defineOperation({
  name: 'unsubscribe-channel',
  command: '/quiz-alerts unsubscribe [subscription]',
  summary: 'End what this channel hears of; where it is several, by number or quiz',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unsubscribe',
  fields: { subscription: subscriptionField },
  action: actions['unsubscribe-channel'],
  effect: proposals['unsubscribe-channel'],
  async run({ alerts }, { subscription: { subscription, waiting } }) {
    if (subscription.ownerId === null) throw new InvalidInputError('subscription', 'This channel stands in the bot’s configuration (ALERTS_CHANNEL) and is ended there. You can pause it.');
    if (!(await alerts.unsubscribe(subscription.id))) throw new InvalidInputError('subscription', isGone);
    const dropped = waiting === 0 ? '' : waiting === 1 ? ' The submission that waited is dropped.' : ` The ${waiting} submissions that waited are dropped.`;
    return { kind: 'done', message: `Unsubscribed: ${subscriptionWords(subscription)}.${dropped}` };
  },
});

export const pauseAlerts = defineOperation({
  name: 'pause-alerts',
  command: '/quiz-alerts pause [subscription] for [time]',
  summary: 'Post nothing for 2h or 3d, until tomorrow 8am, or until it is resumed',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Pause',
  fields: {
    subscription: subscriptionField,
    time: { kind: 'text', label: 'How long', hint: 'For example 2h, 3d, tomorrow 8am, friday or 1 dec. Leave it empty to pause until someone resumes.', maxLength: 50, optional: true },
  },
  parse: (line) => [parsePause(line)],
  action: actions['pause-alerts'],
  effect: proposals['pause-alerts'],
  async run(context, { subscription: { subscription }, time }) {
    const { alerts, actor, now } = context;
    const timeZone = zoneOf(context);
    const end = readPauseEnd(time, { nowMs: now(), timeZone });
    if (!(await alerts.pause(subscription.id, actor.personId, end))) throw new InvalidInputError('subscription', isGone);
    const until = end === null ? 'until somebody resumes it' : `until ${timeInWords(end, { nowMs: now(), timeZone })}`;
    return { kind: 'done', message: `Paused ${until}: ${subscriptionWords(subscription)}. What comes meanwhile is kept for 7 days.` };
  },
});

export const resumeAlerts = defineOperation({
  name: 'resume-alerts',
  command: '/quiz-alerts resume [subscription]',
  summary: 'Post again, also what came meanwhile',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Resume',
  fields: { subscription: subscriptionField },
  action: actions['resume-alerts'],
  effect: proposals['resume-alerts'],
  async run({ alerts, now }, { subscription: { subscription, waiting } }) {
    if (!isPaused(subscription, now())) return { kind: 'done', message: `It was not paused: ${subscriptionWords(subscription)}.` };
    if (!(await alerts.resume(subscription.id))) throw new InvalidInputError('subscription', isGone);
    const kept = waiting === 0 ? '' : waiting === 1 ? ' The submission that waits is posted now.' : ` The ${waiting} submissions that wait are posted now.`;
    return { kind: 'done', message: `Resumed: ${subscriptionWords(subscription)}.${kept}` };
  },
});

export const testAlerts = defineOperation({
  name: 'test-alerts',
  command: '/quiz-alerts test [subscription]',
  summary: 'Post in the channel what an alert looks like',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Test',
  fields: { subscription: subscriptionField },
  action: actions['test-alerts'],
  effect: (_, input) => proposals['test-alerts'](input),
  async run({ alerts }, { subscription: { subscription } }) {
    const refused = await alerts.test(subscription);
    if (refused) throw new InvalidInputError('subscription', refused.closed);
    return { kind: 'done', message: `A test is posted in the channel: ${subscriptionWords(subscription)}.` };
  },
});

/** What people can do about alerts, in the order of the help. */
export const alertOperations: readonly Operation[] = [subscribeChannel, listAlerts, unsubscribeChannel, pauseAlerts, resumeAlerts, testAlerts];

function isSameSpec(one: SubscriptionSpec, other: SubscriptionSpec): boolean {
  const compared = ({ channelId, quiz, filter, delivery, timeZone, showsNames }: SubscriptionSpec) => [channelId, quiz?.id, filter, delivery, delivery.kind === 'each' ? '' : timeZone, showsNames];
  return isDeepStrictEqual(compared(one), compared(other));
}

function channelWords({ channelId }: OperationContext, { channel_id, channel_name }: Channel): string {
  if (channel_id === channelId) return 'This channel';
  return channel_name === undefined ? 'The channel' : `#${channel_name}`;
}
