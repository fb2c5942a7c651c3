import { isDeepStrictEqual } from 'node:util';
import { say } from '../../../domain/said.ts';
import type { Delivery, SubmissionFilter, SubscriptionSpec } from '../../../domain/subscription.ts';
import { filterParts, percentageIn, valuesIn, type FilterPart } from '../../../operations/clauses/filter-line.ts';
import { readTimeOfDay } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError, given, type TextInput } from '../../../operations/text-input.ts';
import type { Fields } from '../../../operations/fields/fields.ts';
import { meaningAmong } from '../../../operations/other-words/meanings.ts';
import { formatMention, inWords, quote, type Token } from '../../../operations/typed-text.ts';
import { knownTimeZone } from '../../../time/wall-clock.ts';

const standsAlone = { words: [], example: 'failed', standsAlone: true } as const;

/** What people type for a digest: `daily`, `every day`, `digest once a day`. */
function digestWords(adverb: string, unit: string): string[] {
  const times = [
    adverb,
    `every ${unit}`,
    `each ${unit}`,
    `once a ${unit}`,
    `once an ${unit}`,
    `once per ${unit}`,
    unit,
  ];
  const inDigests = times.flatMap((time) => [`digest ${time}`, `${time} digest`, `a ${time} digest`]);
  return [...times.slice(0, -1), ...inDigests, `an ${adverb} digest`];
}

/** A subscription of a channel: which results, and how they come. */
export const specFields = {
  channel: {
    kind: 'channel',
    label: 'Channel',
    hint: 'Invigilator must be a member: /invite @Invigilator',
    clause: standsAlone,
  },
  quiz: { kind: 'quiz', label: 'Quiz', hint: 'Leave empty for every quiz', optional: true },
  filter: {
    kind: 'choice',
    label: 'Results',
    optional: true,
    usual: 'all',
    options: [
      { value: 'all', label: 'All results', formOnly: true },
      { value: 'passed', label: 'Passed only', also: ['passes', 'passing'] },
      { value: 'failed', label: 'Failed only', also: ['fail', 'fails', 'failing', 'failures', 'not passed'] },
      {
        value: 'ungraded',
        label: 'Not graded or waiting to be marked',
        also: ['not graded', 'to be marked', 'waiting to be marked'],
      },
      { value: 'below', label: 'Below a percentage', also: ['under', 'less than'] },
      { value: 'grade', label: 'With a certain grade' },
    ],
    clause: standsAlone,
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
    clause: { words: [], example: '60', after: 'filter' },
  },
  delivery: {
    kind: 'choice',
    label: 'Delivery',
    optional: true,
    usual: 'each',
    options: [
      { value: 'each', label: 'One message per submission', also: ['message per submission'] },
      {
        value: 'thread',
        label: 'One thread per quiz per day',
        also: ['threads', 'a thread', 'in a thread', 'in one thread', 'in threads', 'thread per quiz per day'],
      },
      { value: 'hourly', label: 'An hourly digest', typed: 'digest hourly', also: digestWords('hourly', 'hour') },
      { value: 'daily', label: 'A daily digest', typed: 'digest daily', also: digestWords('daily', 'day') },
    ],
    clause: standsAlone,
  },
  at: {
    kind: 'text',
    label: 'Time',
    hint: 'For example 08:30. Leave empty for 09:00',
    maxLength: 10,
    isTimeOfDay: true,
    optional: true,
    shownWhen: { field: 'delivery', is: ['daily'] },
    clause: { words: ['at'], example: say`at 08:30`, after: 'delivery' },
  },
  time_zone: {
    kind: 'text',
    label: 'Time zone',
    hint: 'For example Europe/Berlin. Leave empty for your own',
    maxLength: 100,
    optional: true,
    shownWhen: { field: 'delivery', is: ['thread', 'hourly', 'daily'] },
    clause: {
      words: [],
      example: 'Europe/Berlin',
      after: 'delivery',
      takes: (text) => /^(?:utc|gmt|[a-z_]+\/\S+)$/i.test(text),
    },
  },
  names: {
    kind: 'flags',
    label: 'Names',
    optional: true,
    options: [
      {
        value: 'off',
        label: 'Initials instead of names',
        typed: 'names off',
        also: ['no names', 'without names', 'hide names'],
      },
    ],
    clause: { words: ['names'], example: say`names off`, standsAlone: true },
  },
} as const satisfies Fields;

/**
 * Every way to read a subscription as people type it, `Fire safety failed digest daily 08:30`, in any order and language, the likeliest
 * first. Words that do not belong to subscriptions alone, such as “daily”, are first taken for a part of the quiz’s name.
 * @throws {InvalidInputError}
 */
export function parseSubscription(line: string): [TextInput, ...TextInput[]] {
  const read = (areOwn: boolean): { reading: TextInput } | { refusal: InvalidInputError } => {
    try {
      return { reading: readSubscription(line, areOwn) };
    } catch (error) {
      if (error instanceof InvalidInputError) return { refusal: error };
      throw error;
    }
  };
  const [own, all] = [read(true), read(false)];
  if ('refusal' in all && 'refusal' in own) throw all.refusal;
  const readings = [own, all].flatMap((one) => ('reading' in one ? [one.reading] : []));
  const [first = {}, ...others] = readings;
  return [first, ...others.filter((other) => !isDeepStrictEqual(other, first)), ...withOddNames(line)];
}

/** `names banana` as a wish about names, so that its field can say what is wrong with it. */
function withOddNames(line: string): TextInput[] {
  const [, before = '', wish] = /^(.+) names (?!(?:on|off)$)(\S+)$/i.exec(line.trim()) ?? [];
  return wish === undefined ? [] : [{ ...readSubscription(before, true), names: [wish] }];
}

function readSubscription(line: string, areOwn: boolean): TextInput {
  const parts = filterParts(line, specFields, ['only', '%', 'percent', 'names on'], { areOwn });
  const names = withoutAll(
    parts.filter(({ kind }) => kind === 'name'),
    areOwn,
  ).map(({ token }) => token);
  refuseOtherDigests(names, areOwn);
  const quiz = inWords(names);
  // An empty quiz means all of them. Without it the form would open, as it does when nothing is typed.
  return { ...valuesIn(parts, line, specFields), ...(line.trim() === '' ? {} : { quiz: [quiz] }) };
}

/** Without “all” that means every quiz, and is not the beginning of a name such as “All about fire”, and without “to” before a quiz. */
function withoutAll(names: readonly FilterPart[], areOwn: boolean): readonly FilterPart[] {
  const tokens = names.map(({ token }) => token);
  const typed = tokens.map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : '"')).join(' ');
  if (/^(?:all|every quiz|everything|all quizzes)$/.test(typed)) return [];
  if (areOwn) return names;
  if (meaningAmong(tokens, 0, ['all'])?.length === tokens.length) return [];
  const before = /^(?:to|for) \S/.test(typed) ? 1 : (meaningAmong(tokens, 0, ['to', 'for'])?.length ?? 0);
  return before > 0 && names.length > before ? withoutAll(names.slice(before), areOwn) : names;
}

/** @throws {InvalidInputError} for `digest weekly`, and for `weekly` where it can be no part of a name */
function refuseOtherDigests(names: readonly Token[], areOwn: boolean): void {
  const words = names.map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : ''));
  const odd = /^(?:weekly|monthly|week|month)$/;
  const isOdd = (word: string, at: number) => odd.test(word) || meaningAmong(names, at, ['weekly']) !== undefined;
  const digest = words.indexOf('digest');
  if (digest === -1 && (areOwn || !words.some(isOdd))) return;
  const every =
    words.find(isOdd) === undefined ? names[digest + 1]?.text : (words.find((word) => odd.test(word)) ?? 'weekly');
  throw new InvalidInputError(
    'delivery',
    every === undefined
      ? say`“digest” needs hourly, or daily and a time, for example digest daily 08:30.`
      : say`I don’t know “digest ${every}”. Try digest hourly, or digest daily 08:30.`,
  );
}

/** Writes a subscription so that `parseSubscription` reads the same; the channel is the one it is typed in. */
export function formatSubscriptionSpec({
  quiz,
  filter,
  delivery,
  timeZone,
  showsNames,
}: Omit<SubscriptionSpec, 'channelId'>): string {
  const parts = [quiz === null ? 'all' : isTypable(quiz.name) ? quote(quiz.name) : quiz.id];
  if (filter.kind === 'below') parts.push(`below ${filter.percentage}`);
  else if (filter.kind === 'grade') parts.push(`grade ${quote(filter.grade)}`);
  else if (filter.kind !== 'all') parts.push(filter.kind);
  if (delivery.kind === 'each') parts.push('each');
  else if (delivery.kind === 'thread') parts.push(`thread ${timeZone}`);
  else parts.push(delivery.every === 'hour' ? 'digest hourly' : `digest daily ${delivery.at} ${timeZone}`);
  if (!showsNames) parts.push('names off');
  return parts.join(' ');
}

/** Whether a person can type the name on one line and find the quiz with it. */
function isTypable(name: string): boolean {
  return name === name.trim() && name !== '' && name.length <= 100 && !/\p{C}/u.test(name);
}

/** The input of `subscribe-channel` that makes the same subscription. */
export function specInput({ channelId, quiz, filter, delivery, timeZone, showsNames }: SubscriptionSpec): TextInput {
  const limit =
    filter.kind === 'below' ? String(filter.percentage) : filter.kind === 'grade' ? filter.grade : undefined;
  const isDaily = delivery.kind === 'digest' && delivery.every === 'day';
  return given({
    channel: formatMention({ kind: 'channel', id: channelId }),
    quiz: quiz?.id,
    filter: filter.kind,
    limit,
    delivery: delivery.kind !== 'digest' ? delivery.kind : isDaily ? 'daily' : 'hourly',
    at: isDaily && delivery.at,
    time_zone: timeZone,
    names: !showsNames && 'off',
  });
}

/** @throws {InvalidInputError} when `limit` is not what `filter` needs */
export function readFilter(filter: string | undefined, limit: string | undefined): SubmissionFilter {
  switch (filter) {
    case 'passed':
    case 'failed':
    case 'ungraded':
      if (limit !== undefined)
        throw new InvalidInputError('limit', say`“${limit}” needs “below” or “grade” before it, for example below 60.`);
      return { kind: filter };
    case 'below':
      return { kind: 'below', percentage: readPercentage(limit) };
    case 'grade':
      return { kind: 'grade', grade: readGrade(limit) };
    default:
      if (limit !== undefined)
        throw new InvalidInputError('limit', say`“${limit}” needs “below” or “grade” before it, for example below 60.`);
      return { kind: 'all' };
  }
}

/** @throws {InvalidInputError} when `at` is not what `delivery` needs */
export function readDelivery(delivery: string | undefined, at: string | undefined): Delivery {
  if (at !== undefined && delivery !== 'daily')
    throw new InvalidInputError('at', say`“${at}” is only for a daily digest, for example digest daily 08:30.`);
  switch (delivery) {
    case 'thread':
      return { kind: 'thread' };
    case 'hourly':
      return { kind: 'digest', every: 'hour' };
    case 'daily':
      return { kind: 'digest', every: 'day', at: timeOfDay(at) };
    default:
      return { kind: 'each' };
  }
}

/**
 * A zone as Intl writes it: `europe/berlin` is `Europe/Berlin`.
 * @throws {InvalidInputError} for a zone that Intl does not know
 */
export function readTimeZone(typed: string): string {
  const zone = knownTimeZone(typed);
  if (zone === undefined)
    throw new InvalidInputError(
      'time_zone',
      say`“${typed}” isn’t a time zone. Time zones look like Europe/Berlin or UTC. If it’s part of a quiz’s name, put the name in quotes.`,
    );
  return zone;
}

function readPercentage(typed: string | undefined): number {
  const percentage = percentageIn(typed ?? '');
  if (percentage !== undefined) return percentage;
  throw new InvalidInputError(
    'limit',
    typed === undefined
      ? say`“below” needs a percentage up to 100, for example below 60.`
      : say`I don’t know “below ${typed}”. Try below 60.`,
  );
}

function readGrade(typed: string | undefined): string {
  if (typed === undefined) throw new InvalidInputError('limit', say`“grade” needs a grade, for example grade B.`);
  return typed;
}

/** A daily digest without a time comes when people begin to work. */
const usualTime = '09:00';

function timeOfDay(typed = usualTime): string {
  const minutes = readTimeOfDay(typed);
  if (minutes !== undefined)
    return `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  throw new InvalidInputError('at', say`“${typed}” isn’t a time of day. Try 8am or 08:30.`);
}
