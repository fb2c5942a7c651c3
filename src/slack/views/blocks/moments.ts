import { say } from '../../../domain/said.ts';
import { dateInWords } from '../../../time/date-words.ts';
import { dateFormat } from '../../../time/wall-clock.ts';

const yearFormat = { year: 'numeric' } as const;
const fixedFormat = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** A day that is the same for every reader: `3 May 2027`. */
export function fixedDay(date: Date, timeZone: string): string {
  return dateInWords(date, 'day', timeZone);
}

/** Likewise, without the year where that is this year’s: `3 May`. @param now in milliseconds since the epoch */
export function shortDay(date: Date, now: number, timeZone: string): string {
  const yearOf = (some: Date) => dateFormat('en-GB', yearFormat, timeZone).format(some);
  return dateInWords(date, yearOf(date) === yearOf(new Date(now)) ? 'dayOfYear' : 'day', timeZone);
}

/** A moment where no reader’s own zone can be shown, such as in a table: `2026-11-01 14:05`. */
export function fixedMoment(date: Date, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return dateFormat('sv-SE', fixedFormat, timeZone).format(date);
}

/** `3725` seconds as "1 h 2 min", `65` as "1 min 5 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, left] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = [
    ...(hours > 0 ? [say`${hours} h`] : []),
    ...(minutes > 0 ? [say`${minutes} min`] : []),
    ...(left > 0 && hours === 0 ? [say`${left} s`] : []),
  ];
  return parts.length === 0 ? say`${0} s` : parts.join(' ');
}
