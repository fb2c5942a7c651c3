import {
  aboutWords,
  alertsInWords,
  inWhere,
  type Subscribed,
  described,
  nextStep,
  isGone,
  subscriptionField,
  hereWords,
} from './alert-words.ts';
import { amount, capitalized, say, named } from '../../../domain/said.ts';
import { isPaused, type Subscription } from '../../../domain/subscription.ts';
import { InvalidInputError, type TextInput } from '../../../operations/text-input.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import { defineOperation, type Operation, ofChannel } from '../../../operations/operation.ts';
import { zoneOf, momentInWords, readTime } from '../../../operations/dates/typed-time.ts';
import { parseTime } from '../../../operations/dates/time-expression.ts';
import { resultsInWords } from '../../../operations/wording/words.ts';
import { unchanged } from '../../../operations/page.ts';

export const pauseAlerts: Operation = defineOperation({
  name: 'pause-alerts',
  opposite: 'resume-alerts',
  command: '/quiz-alerts pause [subscription] for [time]',
  synonyms: ['mute', 'snooze'],
  summary: 'Pause alerts: for 2h or 3d, until tomorrow 8am, or until someone resumes them',
  title: say`Pause a subscription`,
  isCommon: true,
  ...ofChannel,
  submit: 'Pause',
  fields: {
    subscription: subscriptionField,
    time: {
      kind: 'text',
      label: 'How long',
      hint: 'For example 2h, 3d, tomorrow 8am, friday or 1 dec. Leave it empty to pause until someone resumes.',
      maxLength: 50,
      isTime: true,
      clause: { words: ['for', 'until', 'till'], example: say`for 2h`, takes: isPause },
      optional: true,
    },
  },
  parse: (line) => parseClauses(line, pauseAlerts.fields, { subject: 'subscription', time: 'time' }),
  action: ({ subscription: { subscription } }) => say`pause ${alertsInWords(subscription)}`,
  effect: () => say`New results would wait until the pause ends or someone resumes them.`,
  async run(context, { subscription: { subscription }, time }) {
    const { alerts, requester, now } = context;
    const timeZone = zoneOf(context);
    const end = readPauseEnd(time, { nowMs: now(), timeZone });
    const until = end === null ? '' : ` ${say`until ${momentInWords(end, { nowMs: now(), timeZone })}`}`;
    const next = [nextStep(say`Resume`, resumeAlerts, subscription)];
    if (isPaused(subscription, now()) && subscription.pause?.by && subscription.pause.until === end) {
      return unchanged(wasPausedMessage(described(context, subscription), until), next);
    }
    if (!(await alerts.pause(subscription.id, requester.personId, end)))
      throw new InvalidInputError('subscription', isGone);
    return { kind: 'done', message: pausedMessage(described(context, subscription), until), next };
  },
});

/** @param until such as “ until Tue 1 Dec, 08:00”; empty for a pause without an end */
export function pausedMessage(subscribed: Subscribed, until: string): string {
  return say`Paused ${alertsInWords(subscribed.spec)}${inWhere(subscribed)}${until}. Results are kept for 7 days.`;
}

export function wasPausedMessage(subscribed: Subscribed, until: string): string {
  const { delivery } = subscribed.spec;
  const about = aboutWords(subscribed);
  if (delivery.kind === 'each') return say`Alerts for ${about} were already paused${until}. Nothing changed.`;
  if (delivery.kind === 'thread') return say`The daily thread of ${about} was already paused${until}. Nothing changed.`;
  return delivery.every === 'hour'
    ? say`The hourly digest of ${about} was already paused${until}. Nothing changed.`
    : say`The daily digest of ${about} was already paused${until}. Nothing changed.`;
}

export const resumeAlerts: Operation = defineOperation({
  name: 'resume-alerts',
  opposite: 'pause-alerts',
  command: '/quiz-alerts resume [subscription]',
  synonyms: ['unpause', 'unmute', 'unsnooze', 'restart'],
  summary: 'Resume alerts, and post what came in during the pause',
  title: say`Resume a subscription`,
  isCommon: true,
  ...ofChannel,
  submit: 'Resume',
  fields: { subscription: subscriptionField },
  action: ({ subscription: { subscription } }) => say`resume ${alertsInWords(subscription)}`,
  effect: () => say`Results would be posted again, including those that waited.`,
  async run(context, { subscription: { subscription, waiting } }) {
    const { alerts, now } = context;
    if (!isPaused(subscription, now())) {
      return unchanged(wasNotPausedMessage(described(context, subscription)), [
        nextStep(say`Pause`, pauseAlerts, subscription),
      ]);
    }
    const closed = subscription.pause?.code === undefined ? undefined : await alerts.whyClosed(subscription.channelId);
    if (closed)
      throw new InvalidInputError('subscription', say`${capitalized(closed.why)}. ${closed.remedy} Then try again.`);
    if (!(await alerts.resume(subscription.id))) throw new InvalidInputError('subscription', isGone);
    return {
      kind: 'done',
      message: resumedMessage(described(context, subscription), waiting),
      next: [nextStep(say`Pause again`, pauseAlerts, subscription, pauseInput(subscription, now()))],
    };
  },
});

/** @param waiting how many submissions came in during the pause */
export function resumedMessage(subscribed: Subscribed, waiting: number): string {
  const resumed = say`Resumed ${alertsInWords(subscribed.spec)}${inWhere(subscribed)}.`;
  if (waiting === 0) return resumed;
  const posted =
    waiting === 1
      ? say`The submission that was waiting will be posted now.`
      : say`The ${amount(waiting)} submissions that were waiting will be posted now.`;
  return `${resumed} ${posted}`;
}

export function wasNotPausedMessage(subscribed: Subscribed): string {
  const { delivery } = subscribed.spec;
  const about = aboutWords(subscribed);
  if (delivery.kind === 'each') return say`Alerts for ${about} weren’t paused. Nothing changed.`;
  if (delivery.kind === 'thread') return say`The daily thread of ${about} wasn’t paused. Nothing changed.`;
  return delivery.every === 'hour'
    ? say`The hourly digest of ${about} wasn’t paused. Nothing changed.`
    : say`The daily digest of ${about} wasn’t paused. Nothing changed.`;
}

/** The time that is left of a pause, as it can be typed; empty where the pause has no end. */
function pauseInput({ pause }: Subscription, nowMs: number): TextInput {
  return pause?.until ? { time: [`for ${Math.ceil((pause.until - nowMs) / 60_000)}m`] } : {};
}

const longestPauseMs = 366 * 24 * 60 * 60_000;
const examples = say`Pause for 30m, 2h or 3d, or until tomorrow, friday 8am or 1 dec.`;

/** Whether what follows “for” or “until” is no part of a name. What begins with a digit is a time, even if it cannot be read. */
function isPause(text: string, word: string): boolean {
  return word !== 'for' || /^\d/.test(text) || parseTime(text.split(' '))?.kind === 'span';
}

/**
 * When a pause ends, in milliseconds since the epoch: `for 2h`, `until friday 8am`; null: not by itself.
 * @throws {InvalidInputError}
 */
export function readPauseEnd(
  typed: string | undefined,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): number | null {
  if (typed === undefined) return null;
  const read = (text: string) => readTime(text, { nowMs, timeZone, direction: 'future' });
  // “For” and “until” tell `18h` from `18:00`, but people write “for tomorrow” as well.
  const end = read(typed) ?? read(typed.replace(/^\s*for\s/i, ''));
  if (end === undefined) throw new InvalidInputError('time', say`“${typed}” isn’t a time I know. ${examples}`);
  if (end.kind === 'problem') throw new InvalidInputError('time', `“${typed}”: ${end.message}`);
  if (end.atMs <= nowMs) throw new InvalidInputError('time', say`“${typed}” is over already. ${examples}`);
  if (end.atMs > nowMs + longestPauseMs)
    throw new InvalidInputError(
      'time',
      say`“${typed}” is more than a year away. Leave the time out to pause until someone resumes.`,
    );
  return end.atMs;
}

export const testAlerts = defineOperation({
  name: 'test-alerts',
  command: '/quiz-alerts test [subscription]',
  summary: 'Post a sample alert in the channel',
  title: say`Test a subscription`,
  ...ofChannel,
  submit: 'Send a test',
  fields: { subscription: subscriptionField },
  action: ({ subscription: { subscription } }) => say`post a sample alert with ${resultsInWords(subscription.quiz)}`,
  effect: (_, { subscription: { subscription } }) =>
    say`The channel would get a sample alert with ${resultsInWords(subscription.quiz)}.`,
  async run(context, { subscription: { subscription } }) {
    const refused = await context.alerts.test(subscription);
    if (refused) throw new InvalidInputError('subscription', refused.closed);
    return { kind: 'done', message: testedMessage(described(context, subscription)) };
  },
});

export function testedMessage({ channel, spec }: Subscribed): string {
  const isHere = channel === hereWords;
  if (spec.quiz === null)
    return isHere
      ? say`Posted a sample alert for every quiz in this channel.`
      : say`Posted a sample alert for every quiz in ${channel}.`;
  const quiz = named(spec.quiz.name);
  return isHere
    ? say`Posted a sample alert for ${quiz} in this channel.`
    : say`Posted a sample alert for ${quiz} in ${channel}.`;
}
