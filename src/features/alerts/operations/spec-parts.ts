import { timeOfDayAt } from './other-spec-words.ts';
import { say } from '../../../domain/said.ts';
import type { Delivery, SubmissionFilter, SubscriptionSpec } from '../../../domain/subscription.ts';
import { knownTimeZone } from '../../../time/wall-clock.ts';
import { parseTime, parseTimeOfDay } from '../../../operations/dates/time-expression.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { formatMention, tokenize } from '../../../operations/typed-text.ts';

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
