import type { Delivery, SubmissionFilter } from '../../domain/subscription.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import { parseTimeOfDay } from '../dates/time-expression.ts';
import { InvalidInputError } from '../errors.ts';

/** @throws {InvalidInputError} when `limit` is not what `filter` needs */
export function readFilter(filter: string | undefined, limit: string | undefined): SubmissionFilter {
  switch (filter) {
    case 'passed':
    case 'failed':
    case 'ungraded':
      if (limit !== undefined) throw new InvalidInputError('limit', `“${limit}” goes with below or grade, such as below 60.`);
      return { kind: filter };
    case 'below':
      return { kind: 'below', percentage: readPercentage(limit) };
    case 'grade':
      return { kind: 'grade', grade: readGrade(limit) };
    default:
      if (limit !== undefined) throw new InvalidInputError('limit', `“${limit}” goes with below or grade, such as below 60.`);
      return { kind: 'all' };
  }
}

/** @throws {InvalidInputError} when `at` is not what `delivery` needs */
export function readDelivery(delivery: string | undefined, at: string | undefined): Delivery {
  if (at !== undefined && delivery !== 'daily') throw new InvalidInputError('at', `“${at}” goes with a daily digest, such as digest daily 08:30.`);
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
  if (zone === undefined) throw new InvalidInputError('time_zone', `I know no time zone “${typed}”: it looks like Europe/Berlin, or UTC. A quiz’s name with a slash in it goes in quotes.`);
  return zone;
}

function readPercentage(typed: string | undefined): number {
  const [, digits] = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%?$/.exec(typed ?? '') ?? [];
  const percentage = Number(digits?.replace(',', '.'));
  if (percentage > 0 && percentage <= 100) return percentage;
  throw new InvalidInputError('limit', `${typed === undefined ? 'After “below” comes' : `“${typed}” is not`} a percentage up to 100, such as below 60.`);
}

function readGrade(typed: string | undefined): string {
  if (typed === undefined) throw new InvalidInputError('limit', 'After “grade” comes a grade, such as grade B.');
  return typed;
}

function readTimeOfDay(typed: string | undefined): string {
  const minutes = typed === undefined ? undefined : parseTimeOfDay(typed);
  if (minutes !== undefined) return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  throw new InvalidInputError('at', typed === undefined ? 'Add a time of day, for example digest daily 08:30.' : `“${typed}” isn’t a time of day. Try 8am or 08:30.`);
}
