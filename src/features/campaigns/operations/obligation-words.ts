import type { Obligation } from '../../../obligations/obligation.ts';

/**
 * An obligation in a few words, such as `overdue since 3 May`. A pass counts until the end of a day, so it is valid until the moment
 * before.
 *
 * @param dayOf the day of a moment in milliseconds since the epoch
 */
export function obligationWords(
  { state, dueAt, validUntil, excusedUntil }: Obligation,
  dayOf: (moment: number) => string,
): string {
  const until = (words: string, end: number | undefined) => (end === undefined ? '' : `${words} ${dayOf(end)}`);
  const lastMoment = validUntil === undefined ? undefined : validUntil - 1;
  switch (state) {
    case 'overdue':
      return until('overdue since', dueAt);
    case 'expired':
      return until('expired', lastMoment);
    case 'due':
      return until('due', dueAt) || 'to take';
    case 'expiring':
      return until('renew by', lastMoment);
    case 'done':
      return until('valid until', lastMoment) || 'done';
    case 'excused':
      return until('excused until', excusedUntil) || 'excused';
    case 'marking':
      return 'to be marked';
    case 'not me':
      return 'says it isn’t for them';
    case 'not yet due':
      return 'not yet due';
    case 'not required':
      return 'not required';
  }
}
