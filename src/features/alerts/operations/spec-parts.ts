import { say } from '../../../domain/said.ts';
import type { Delivery, SubmissionFilter, SubscriptionSpec } from '../../../domain/subscription.ts';
import { parseTime, parseTimeOfDay } from '../../../operations/dates/time-expression.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { meaningAmong } from '../../../operations/other-words/meanings.ts';
import type { TypedWord } from '../../../operations/other-words/other-words.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { formatMention, tokenize, type Token } from '../../../operations/typed-text.ts';
import { knownTimeZone } from '../../../time/wall-clock.ts';

/** The words of a subscription that are understood in other languages. */
const specWords: readonly TypedWord[] = [
  'passed',
  'failed',
  'ungraded',
  'only',
  'below',
  'percent',
  'grade',
  'each',
  'thread',
  'digest hourly',
  'digest daily',
  'weekly',
  'names off',
  'at',
];
/** At the beginning: elsewhere they belong to the quiz’s name. */
const firstWords: readonly TypedWord[] = ['all', 'to', 'for'];

const inSpecs: Readonly<Partial<Record<TypedWord, string>>> = { percent: '%', to: '', for: '', at: 'at' };

/** A line such as `Brandschutz nur unter 60 %` with the English words of subscriptions; undefined where it has none of another language. */
export function specInEnglish(line: string): string | undefined {
  const tokens = tokenize(line).map((token) => ({ ...token, text: withoutComma(token) }));
  const texts: string[] = [];
  let isChanged = false;
  for (let at = 0; at < tokens.length;) {
    const meaning = wordMeantAt(tokens, at);
    const time = meaning ? undefined : timeOfDayAt(tokens, at, texts.at(-1) === 'at');
    if (meaning) texts.push(inSpecs[meaning.english] ?? meaning.english);
    else texts.push(time?.text ?? line.slice(tokens[at]!.start, tokens[at]!.end));
    isChanged ||= meaning !== undefined;
    at += meaning?.length ?? time?.length ?? 1;
  }
  return isChanged ? texts.filter((text) => text !== '').join(' ') : undefined;
}

/** A list in words has commas, as in “failed only, an hourly digest”. */
export function withoutComma({ kind, text }: Token): string {
  return kind === 'word' ? text.replace(/(?<=.),$/, '') : text;
}

function wordMeantAt(tokens: readonly Token[], at: number): ReturnType<typeof meaningAmong> {
  const meaning = meaningAmong(tokens, at, at === 0 ? [...firstWords, ...specWords] : specWords);
  if (meaning === undefined) return undefined;
  const next = tokens[at + meaning.length]?.text ?? '';
  const before = tokens[at - 1]?.text ?? '';
  const isMeant =
    (meaning.english !== 'at' || /^\d/.test(next)) &&
    (meaning.english !== 'below' || /^\d/.test(next)) &&
    (meaning.english !== 'percent' || /^\d/.test(before));
  return isMeant ? meaning : undefined;
}

/** `8 Uhr`, `8h30`, `8.30 uur`, and a bare `8` after “at”. */
function timeOfDayAt(
  tokens: readonly Token[],
  at: number,
  isAfterAt: boolean,
): { text: string; length: number } | undefined {
  for (const length of [3, 2, 1]) {
    const some = tokens.slice(at, at + length);
    if (some.length < length || some.some(({ kind }) => kind !== 'word')) continue;
    const typed = some.map(({ text }) => text.toLowerCase()).join(' ');
    const [, hour, unit, minutes = '00'] =
      /^(\d{1,2})(?: ?(h|u|hs|uhr|uur)\.?)(?: ?(\d\d))?$/.exec(typed) ??
      /^(\d{1,2})()[:.](\d\d) ?(?:h|u|hs|uhr|uur)\.?$/.exec(typed) ??
      (isAfterAt ? /^(\d{1,2})()$/.exec(typed) : null) ??
      [];
    if (hour !== undefined && unit !== undefined) return { text: `${hour}:${minutes}`, length };
  }
  return undefined;
}

/** The input of `subscribe-channel` that makes the same subscription. */
export function specInput({ channelId, quiz, filter, delivery, timeZone, showsNames }: SubscriptionSpec): TextInput {
  const limit =
    filter.kind === 'below' ? [String(filter.percentage)] : filter.kind === 'grade' ? [filter.grade] : undefined;
  const isDaily = delivery.kind === 'digest' && delivery.every === 'day';
  return {
    channel: [formatMention({ kind: 'channel', id: channelId })],
    ...(quiz && { quiz: [quiz.id] }),
    filter: [filter.kind],
    ...(limit && { limit }),
    delivery: [delivery.kind !== 'digest' ? delivery.kind : isDaily ? 'daily' : 'hourly'],
    ...(isDaily && { at: [delivery.at] }),
    time_zone: [timeZone],
    ...(!showsNames && { names: ['off'] }),
  };
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
      return { kind: 'digest', every: 'day', at: readTimeOfDay(at) };
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
  const [, digits] = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%?$/.exec(typed ?? '') ?? [];
  const percentage = Number(digits?.replace(',', '.'));
  if (percentage > 0 && percentage <= 100) return percentage;
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

function readTimeOfDay(typed = usualTime): string {
  const minutes = parseTimeOfDay(typed) ?? timeOfDayIn(typed);
  if (minutes !== undefined)
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  throw new InvalidInputError('at', say`“${typed}” isn’t a time of day. Try 8am or 08:30.`);
}

/** In another language: `8 Uhr`, `8 h`, `a las 8`. */
function timeOfDayIn(typed: string): number | undefined {
  const tokens = tokenize(typed);
  const clock = timeOfDayAt(tokens, 0, false);
  if (clock?.length === tokens.length) return parseTimeOfDay(clock.text);
  const time = parseTime(typed.trim().split(/\s+/));
  return time?.kind === 'point' && time.day === undefined ? time.minutes : undefined;
}
