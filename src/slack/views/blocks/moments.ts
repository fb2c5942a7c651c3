import { dateFormat } from '../../../time/wall-clock.ts';
import { formats, slackDate, type Mrkdwn } from './mrkdwn.ts';

const yearFormat = { year: 'numeric' } as const;
const dayOfYearFormat = { day: 'numeric', month: 'short' } as const;
const dayFormat = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const momentFormat = { ...dayFormat, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
const fixedFormat = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** A moment that each reader sees in their own zone; `timeZone` is for those whose client cannot. */
export function moment(date: Date, timeZone: string): Mrkdwn {
  return slackDate(date, formats.moment, inWords(date, timeZone, momentFormat));
}

/** A day, likewise. */
export function day(date: Date, timeZone: string): Mrkdwn {
  return slackDate(date, formats.day, inWords(date, timeZone, dayFormat));
}

/** A day that is the same for every reader: `3 May 2027`. */
export function fixedDay(date: Date, timeZone: string): string {
  return inWords(date, timeZone, dayFormat);
}

/** Likewise, without the year where that is this year’s: `3 May`. @param now in milliseconds since the epoch */
export function shortDay(date: Date, now: number, timeZone: string): string {
  const yearOf = (some: Date) => inWords(some, timeZone, yearFormat);
  return inWords(date, timeZone, yearOf(date) === yearOf(new Date(now)) ? dayOfYearFormat : dayFormat);
}

/** A moment where no reader’s own zone can be shown, such as in a table: `2026-11-01 14:05`. */
export function fixedMoment(date: Date, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return dateFormat('sv-SE', fixedFormat, timeZone).format(date);
}

function inWords(date: Date, timeZone: string, format: Intl.DateTimeFormatOptions): string {
  return dateFormat('en-GB', format, timeZone).format(date);
}

/** `3725` seconds as "1 h 2 min", `65` as "1 min 5 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const units = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
