import { markedDate, markedMoment, type DateSource } from '../domain/said.ts';
import { dateFormat } from './wall-clock.ts';

const dayOfYear = { day: 'numeric', month: 'short' } as const;
const weekday = { weekday: 'short', ...dayOfYear } as const;
const year = { year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;
const timeAndZone = { ...time, timeZoneName: 'short' } as const;

/** How dates are written in words, by the name of each form. */
export const dateForms = {
  /** `3 May 2027` */
  day: { ...dayOfYear, ...year },
  /** `3 May` */
  dayOfYear,
  /** `Mon 3 May` */
  weekday,
  /** `Mon 3 May 2027` */
  weekdayAndYear: { ...weekday, ...year },
  /** `Mon 3 May, 09:00` */
  weekdayTime: { ...weekday, ...time },
  /** `Mon 3 May 2027, 09:00` */
  weekdayTimeAndYear: { ...weekday, ...year, ...time },
  /** `3 May 2027, 09:00 UTC` */
  moment: { ...dayOfYear, ...year, ...timeAndZone },
  /** `Mon, 3 May 2027, 09:00 UTC` */
  weekdayMoment: { ...weekday, ...year, ...timeAndZone },
  /** `3 May 2027, 09:00` */
  momentWithoutZone: { ...dayOfYear, ...year, ...time },
  /** `Feb` */
  monthOfYear: { month: 'short' },
  /** `Feb 2027` */
  monthAndYear: { month: 'short', ...year },
  /** `February 2027` */
  month: { month: 'long', ...year },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export type DateForm = keyof typeof dateForms;

/** A date in words, in the language of its reader where it leaves the bot. @param zone undefined: that of its reader */
export function dateInWords(at: Date | number, form: DateForm, zone: string | undefined): string {
  return markedDate(dateFormat('en-GB', dateForms[form], zone ?? 'UTC').format(at), { form, atMs: Number(at), zone });
}

/** A date as it is written in a locale; undefined for a form that nobody knows. */
export function writtenDate(locale: string, timeZone: string, { form, atMs }: DateSource): string | undefined {
  const known = Object.entries(dateForms).find(([name]) => name === form)?.[1];
  return known && dateFormat(locale, known, timeZone).format(atMs);
}

/**
 * A moment that each reader sees in their own zone: its words are written where it leaves the bot.
 * @param form with the weekday where a person has to see whether the day is the one they meant
 */
export function moment(at: Date | number, form: DateForm = 'moment'): string {
  return markedMoment(Number(at), dateInWords(at, form, undefined));
}

/** A day, likewise. */
export function day(at: Date | number, form: DateForm = 'day'): string {
  return markedMoment(Number(at), dateInWords(at, form, undefined), { isDay: true });
}

const yearFormat = { year: 'numeric' } as const;

/** A day that is the same for every reader: `3 May 2027`. */
export function fixedDay(date: Date | number, timeZone: string): string {
  return dateInWords(date, 'day', timeZone);
}

/** Likewise, without the year where that is this year’s: `3 May`. @param now in milliseconds since the epoch */
export function shortDay(at: number, now: number, timeZone: string): string {
  const yearOf = (some: number) => dateFormat('en-GB', yearFormat, timeZone).format(some);
  return dateInWords(at, yearOf(at) === yearOf(now) ? 'dayOfYear' : 'day', timeZone);
}
