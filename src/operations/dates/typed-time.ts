import { minuteMs, hourMs, dayMs } from '../../domain/durations.ts';
import { markedMoment, say, markedDate } from '../../domain/said.ts';
import { dateFormat, knownTimeZone, startOfDay, wallClock } from '../../time/wall-clock.ts';
import type { WallClock, WallTime } from '../../time/wall-clock.ts';
import {
  dayAndMonth,
  daysIn,
  parseTime,
  parseTimeOfDay,
  type DayExpression,
  type Period,
  type TimeExpression,
} from './time-expression.ts';
import { dateInWords, type DateForm } from '../../time/date-words.ts';
import { locales } from '../../words/languages.ts';
import type { OperationContext } from '../context.ts';
import { longestText, wordsFrom, tokenize, type Taken, type Token } from '../typed-text.ts';

/** When and where somebody types a moment. `past` and `future` say which Friday “friday” is. */
export interface TimeSetting {
  nowMs: number;
  timeZone: string;
  direction: 'past' | 'future';
}

/** A moment in milliseconds since the epoch, or a sentence that says why it is none. */
type ResolvedTime =
  /** `isDay`: a day or a number of days was typed, and no time of day. */
  /** `meanings`: texts without doubt, where it has several. */
  { kind: 'moment'; atMs: number; isDay: boolean } | { kind: 'problem'; message: string; meanings?: readonly string[] };

const minutesOfDay = 24 * 60;
/** Leap days are up to eight years apart (1896 to 1904, 2096 to 2104). */
const yearsSearched = 8;
const yearsAtMost = 200;

/** Reads a moment as people type it; undefined when the text is none. */
export function readTime(text: string, setting: TimeSetting): ResolvedTime | undefined {
  const expression = parseTime(text.trim().split(/\s+/, 20));
  return expression && resolveTime(expression, setting);
}

/**
 * Finds the moment on the wall clock of the zone: where a clock change skips it, the first moment after the gap; where it
 * comes twice, the first. A day without a time of day is its beginning. `next friday` is the Friday of the week after this
 * one, which begins on a Monday; `last friday` is the latest Friday before today.
 */
function resolveTime(expression: TimeExpression, { nowMs, timeZone, direction }: TimeSetting): ResolvedTime {
  const clock = wallClock(timeZone);
  switch (expression.kind) {
    case 'ambiguous':
      return unclear(expression.meanings);
    case 'impossible':
      return { kind: 'problem', message: say`There’s no ${expression.day} ${shortMonth(expression.month)}.` };
    case 'span':
      return spanFrom(expression, clock, nowMs, direction);
    case 'point': {
      const { day, minutes, zone } = expression;
      if (zone !== undefined) {
        const named = zoneNamed(zone, timeZone);
        if (named === undefined)
          return {
            kind: 'problem',
            message: say`${zone.toUpperCase()} isn’t your time zone. Type the time in yours, or in UTC.`,
          };
        if (named !== timeZone) {
          const { zone: _, ...time } = expression;
          return resolveTime(time, { nowMs, timeZone: named, direction });
        }
      }
      const now = clock.shownAt(nowMs);
      const isFitting = (time: WallTime) => (direction === 'future' ? time > now : time <= now);
      const date =
        day === undefined
          ? nearestDay(startOfDay(now), minutes ?? 0, isFitting)
          : dayNamed(day, { today: startOfDay(now), minutes, isFitting, direction });
      if (date === undefined) return { kind: 'problem', message: say`There’s no such day.` };
      const typedWeekday = day?.kind === 'date' ? day.weekday : undefined;
      if (typedWeekday !== undefined && direction === 'future' && typedWeekday !== weekdayOf(date))
        return unclear([date, nearestWeekday(date, typedWeekday)].map((one) => dateAsTyped(one)));
      // What is due at midnight is due before the day is over.
      const ofDay = minutes === minutesOfDay ? (direction === 'future' ? minutes - 1 : 0) : (minutes ?? 0);
      return { kind: 'moment', atMs: clock.firstMomentOf(date + ofDay * minuteMs), isDay: minutes === undefined };
    }
  }
}

/** The zone that is written so behind a time: a difference from UTC, or the person’s own by its name in one of the languages. */
function zoneNamed(zone: string, own: string): string | undefined {
  const [, hours, minutes = '00'] = /^(?:utc|gmt)(?:([+−-]\d{1,2})(?::(\d\d))?)?$/.exec(zone) ?? [];
  if (hours !== undefined) return `${hours.startsWith('+') ? '+' : '-'}${hours.slice(1).padStart(2, '0')}:${minutes}`;
  if (/^(?:utc|gmt)$/.test(zone)) return 'UTC';
  const year = Date.UTC(2026, 0);
  const names = Object.values(locales).flatMap((locale) =>
    [year, year + 182 * dayMs].map((at) => dateFormat(locale, zoneName, own).format(at)),
  );
  return names.some((name) => name.toLowerCase().endsWith(` ${zone}`)) ? own : undefined;
}

const zoneName = { timeZoneName: 'short' } as const;

function unclear(meanings: readonly string[]): ResolvedTime {
  const [likeliest = ''] = meanings;
  const message = say`That could be two different dates or times. Type it like “${likeliest}”.`;
  return { kind: 'problem', message, meanings };
}

/** `18 dec 2026` */
function dateAsTyped(day: WallTime): string {
  const date = new Date(day);
  return `${dayAndMonth(date.getUTCDate(), date.getUTCMonth() + 1).toLowerCase()} ${date.getUTCFullYear()}`;
}

/** 1 for Monday. */
function weekdayOf(day: WallTime): number {
  return ((new Date(day).getUTCDay() + 6) % 7) + 1;
}

function nearestWeekday(day: WallTime, weekday: number): WallTime {
  const later = (weekday - weekdayOf(day) + 7) % 7;
  return day + (later > 3 ? later - 7 : later) * dayMs;
}

/** Days of the past: up to the last one, or up to now where there is none. Midnights on the wall clock. */
interface PastDays {
  first: WallTime;
  last?: WallTime;
}

/** Reads days of the past as people type them: `yesterday`, `last week`, `this month`, `last 7 days`; undefined for what is none. */
export function pastDays(
  expression: TimeExpression,
  { nowMs, timeZone }: Pick<TimeSetting, 'nowMs' | 'timeZone'>,
): PastDays | undefined {
  const today = startOfDay(wallClock(timeZone).shownAt(nowMs));
  if (expression.kind === 'span' && expression.isAgo) {
    const time = resolveTime(expression, { nowMs, timeZone, direction: 'past' });
    const isOfDays = time.kind === 'moment' && time.isDay;
    return isOfDays ? { first: startOfDay(wallClock(timeZone).shownAt(time.atMs)) } : undefined;
  }
  if (expression.kind !== 'point' || expression.minutes !== undefined) return undefined;
  const { day } = expression;
  if (day?.kind === 'period' && day.count <= 0) {
    const first = beginningOf(day.of, today, day.count);
    return day.count === 0 ? { first } : { first, last: beginningOf(day.of, today, day.count + 1) - dayMs };
  }
  if (day?.kind !== 'relative' || day.days > 0) return undefined;
  const first = today + day.days * dayMs;
  return day.days === 0 ? { first } : { first, last: first };
}

/** A moment in words that `readTime` reads as the same moment: “Fri 27 Nov, 08:00”. The year is added if it is another than the current. */
export function timeInWords(
  atMs: number,
  { nowMs, timeZone, isDay = false }: Pick<TimeSetting, 'nowMs' | 'timeZone'> & { isDay?: boolean },
): string {
  const shown = new Date(wallClock(timeZone).shownAt(atMs));
  const weekday = weekdayNames[(shown.getUTCDay() + 6) % 7] ?? '';
  const date = `${weekday} ${dayAndMonth(shown.getUTCDate(), shown.getUTCMonth() + 1)}`;
  const year = shown.getUTCFullYear() === yearOf(nowMs, timeZone) ? '' : ` ${shown.getUTCFullYear()}`;
  return `${date}${year}${isDay ? '' : `, ${shown.toISOString().slice(11, 16)}`}`;
}

/** The same for people alone, in the language of its reader. */
export function saidTime(
  atMs: number,
  { nowMs, timeZone, isDay = false }: Pick<TimeSetting, 'nowMs' | 'timeZone'> & { isDay?: boolean },
): string {
  const words = timeInWords(atMs, { nowMs, timeZone, isDay });
  const hasYear = yearOf(atMs, timeZone) !== yearOf(nowMs, timeZone);
  const form: DateForm = isDay
    ? hasYear
      ? 'weekdayAndYear'
      : 'weekday'
    : hasYear
      ? 'weekdayTimeAndYear'
      : 'weekdayTime';
  return markedDate(words, { form, atMs, zone: timeZone });
}

function yearOf(atMs: number, timeZone: string): number {
  return new Date(wallClock(timeZone).shownAt(atMs)).getUTCFullYear();
}

/** The same within a sentence (`domain/said.ts`), where each reader sees it on their own clock. */
export function momentInWords(
  atMs: number,
  setting: Pick<TimeSetting, 'nowMs' | 'timeZone'> & { zone?: string },
): string {
  const { zone } = setting;
  return markedMoment(atMs, `${saidTime(atMs, setting)}${zone === undefined ? '' : ` (${zone})`}`);
}

/** The day of a moment within a sentence, likewise. */
export function dayInWords(atMs: number, setting: Pick<TimeSetting, 'nowMs' | 'timeZone'>): string {
  return markedMoment(atMs, saidTime(atMs, { ...setting, isDay: true }), { isDay: true });
}

/** “Feb”. */
function shortMonth(month: number): string {
  return dateInWords(Date.UTC(2000, month - 1, 1), 'monthOfYear', 'UTC');
}

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function spanFrom(
  { amount, unit, isAgo }: Extract<TimeExpression, { kind: 'span' }>,
  clock: WallClock,
  nowMs: number,
  direction: TimeSetting['direction'],
): ResolvedTime {
  const sign = isAgo || direction === 'past' ? -1 : 1;
  const isDay = unit !== 'hour' && unit !== 'minute';
  if (!isDay) return { kind: 'moment', atMs: nowMs + sign * amount * (unit === 'hour' ? hourMs : minuteMs), isDay };
  if (unit === 'month' || unit === 'year') {
    const months = sign * amount * (unit === 'year' ? 12 : 1);
    if (Math.abs(months) > 12 * yearsAtMost) return { kind: 'problem', message: say`That’s too many years.` };
    return { kind: 'moment', atMs: clock.firstMomentOf(monthsLater(clock.shownAt(nowMs), months)), isDay: true };
  }
  const days = amount * (unit === 'week' ? 7 : 1);
  // A date has at most 8.64e15 ms: https://tc39.es/ecma262/#sec-time-values-and-time-range
  if (days > 100_000) return { kind: 'problem', message: say`That’s too many days.` };
  // Whole days by the wall clock: 23 or 25 hours where the clock changes.
  const then = clock.firstMomentOf(clock.shownAt(nowMs) + sign * days * dayMs);
  // Clocks show whole seconds.
  return { kind: 'moment', atMs: then + (nowMs % 1_000), isDay };
}

interface DaySetting {
  today: WallTime;
  minutes: number | undefined;
  isFitting: (time: WallTime) => boolean;
  direction: TimeSetting['direction'];
}

function dayNamed(day: DayExpression, { today, minutes, isFitting, direction }: DaySetting): WallTime | undefined {
  switch (day.kind) {
    case 'relative':
      return today + day.days * dayMs;
    case 'period':
      return beginningOf(day.of, today, day.count);
    case 'end': {
      const last = lastDayOf(day.of, today, day.count);
      return isFitting(last + dayMs - 1) || day.count !== 0 ? last : lastDayOf(day.of, today, 1);
    }
    case 'weekday': {
      const ofThisWeek = mondayOf(today) + (day.weekday - 1) * dayMs;
      if (day.which === 'next') return ofThisWeek + 7 * dayMs;
      if (day.which === 'last') return ofThisWeek < today ? ofThisWeek : ofThisWeek - 7 * dayMs;
      return [ofThisWeek, ofThisWeek + (direction === 'past' ? -7 : 7) * dayMs].find((date) =>
        isFitting(date + (minutes ?? 0) * minuteMs),
      );
    }
    case 'date': {
      const { month, year } = day;
      const dateIn = (ofYear: number) => (day.day === 'last' ? daysIn(month, ofYear) : day.day);
      if (year !== undefined) return Date.UTC(year, month - 1, dateIn(year));
      const thisYear = new Date(today).getUTCFullYear();
      const step = direction === 'future' ? 1 : -1;
      const dates = Array.from({ length: yearsSearched + 1 }, (_, index) => thisYear + step * index)
        .filter((candidate) => dateIn(candidate) <= daysIn(month, candidate))
        .map((candidate) => Date.UTC(candidate, month - 1, dateIn(candidate)));
      // Today’s date is today, even if it has begun.
      return dates.find(
        (candidate) =>
          (candidate === today && minutes === undefined) || isFitting(candidate + (minutes ?? 0) * minuteMs),
      );
    }
  }
}

/** Today, or the day next to it in the direction, for a time of day alone. */
function nearestDay(today: WallTime, minutes: number, isFitting: (time: WallTime) => boolean): WallTime | undefined {
  return [today, today + dayMs, today - dayMs].find((day) => isFitting(day + minutes * minuteMs));
}

/** The same day and time of the wall clock some months later; the last day of the month where it has no such day. */
function monthsLater(time: WallTime, months: number): WallTime {
  const date = new Date(time);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const day = Math.min(date.getUTCDate(), daysIn(first.getUTCMonth() + 1, first.getUTCFullYear()));
  return first.getTime() + (day - 1) * dayMs + (time - startOfDay(time));
}

/** The first day of a week, month or year: `count` of them after the current one. */
function beginningOf(of: Period, today: WallTime, count: number): WallTime {
  if (of === 'week') return mondayOf(today) + 7 * count * dayMs;
  const date = new Date(today);
  return of === 'month'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)
    : Date.UTC(date.getUTCFullYear() + count, 0, 1);
}

/** The last day of it. The week at work ends on Friday. */
function lastDayOf(of: Period, today: WallTime, count: number): WallTime {
  return beginningOf(of, today, count + 1) - (of === 'week' ? 3 : 1) * dayMs;
}

/** 1 January 1970 was a Thursday. */
function mondayOf(day: WallTime): WallTime {
  const weekday = (Math.floor(day / dayMs) + 3) % 7;
  return day - weekday * dayMs;
}

/** Takes a time of day from tokens, `8:30 pm` or `8 Uhr`: also one that cannot be read, so that somebody can say so. */
export function takeTimeOfDay(tokens: readonly Token[], from: number): Taken | undefined {
  const words = wordsFrom(tokens, from, 3).map((word) => word.toLowerCase().replace(/,$/, ''));
  const [first = ''] = words;
  if (!/^(?:\d|noon$|midnight$)/.test(first)) return undefined;
  if (parseTimeOfDay(words.slice(0, 2).join(' ')) !== undefined && words.length > 1)
    return { texts: [words.slice(0, 2).join(' ')], end: from + 2 };
  const other = longestText(words, inOtherLanguage);
  if (other) return { texts: [other.means], end: from + other.length };
  return { texts: [/^\d{1,2}$/.test(first) ? `${first}:00` : first], end: from + 1 };
}

/** `8 Uhr`, `8h30`, `8.30 uur` as English has it. */
function inOtherLanguage(typed: string): string | undefined {
  const [, hour, , minutes = '00'] =
    /^(\d{1,2})(?: ?(h|u|hs|uhr|uur)\.?)(?: ?(\d\d))?$/.exec(typed) ??
    /^(\d{1,2})()[:.](\d\d) ?(?:h|u|hs|uhr|uur)\.?$/.exec(typed) ??
    [];
  return hour === undefined ? undefined : `${hour}:${minutes}`;
}

/** Minutes since midnight, of a time of day in any language; undefined for what is none. */
export function readTimeOfDay(typed: string): number | undefined {
  const tokens = tokenize(typed);
  const taken = takeTimeOfDay(tokens, 0);
  const own = taken?.end === tokens.length ? parseTimeOfDay(taken.texts.join()) : undefined;
  if (own !== undefined) return own;
  const time = parseTime(typed.trim().split(/\s+/));
  return time?.kind === 'point' && time.day === undefined && time.zone === undefined ? time.minutes : undefined;
}

/** The zone in which a person’s “tomorrow” begins: theirs on the platform, or the configured one. */
export function zoneOf({ requester, timeZone }: Pick<OperationContext, 'requester' | 'timeZone'>): string {
  return knownTimeZone(requester.timeZone) ?? timeZone;
}
