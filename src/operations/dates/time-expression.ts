import { longestText } from '../typed-text.ts';
import { inOtherLanguages, readHours } from './other-languages.ts';

/** A moment as people type it, before the current time and the time zone are known. */
export type TimeExpression =
  /** `2h`, `in 2 hours`, `3 days ago`, `last 7 days`. */
  | { kind: 'span'; amount: number; unit: SpanUnit; isAgo: boolean }
  /** A day, a time of day, or both; at least one. `zone`: the short name or the difference that stands behind the time, `mez` or `utc+1`. */
  | { kind: 'point'; day?: DayExpression; minutes?: number; zone?: string }
  /** Reads as two different days or times, each written without doubt, the likelier one first. */
  | { kind: 'ambiguous'; meanings: readonly [string, string] }
  | { kind: 'impossible'; day: number; month: number };

type SpanUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

export type DayExpression =
  /** Days from today. */
  | { kind: 'relative'; days: number }
  /** `weekday`: 1 for Monday to 7 for Sunday. */
  | { kind: 'weekday'; weekday: number; which: 'next' | 'last' | undefined }
  /** The first day of a week, month or year: 0 is the current one. */
  | { kind: 'period'; of: Period; count: number }
  /** The last day of it; of a week, its Friday. */
  | { kind: 'end'; of: Period; count: number }
  /** `month` from 1. Without a year, the caller’s direction decides. `weekday`: the one that was typed with it, 1 for Monday. */
  | { kind: 'date'; day: number | 'last'; month: number; year: number | undefined; weekday?: number };

export type Period = 'week' | 'month' | 'year';

/** `the 15th of December 2026 at 8:30 pm` has eight words. */
export const timeWordsAtMost = 8;
const lettersAtMost = 60;

const weekdays = [
  'mon(?:day)?',
  'tue(?:s(?:day)?)?',
  'wed(?:s|nesday)?',
  'thu(?:rs?(?:day)?)?',
  'fri(?:day)?',
  'sat(?:urday)?',
  'sun(?:day)?',
];
const months = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(${months.join('|')})\\.?`;
const monthPatterns = months.map((name) => new RegExp(`^(?:${name})$`));
const weekdayPatterns = weekdays.map((name) => new RegExp(`^(?:${name})$`));
const dayOfMonth = '(?:the )?(\\d{1,2})(?:st|nd|rd|th|\\.)?';
const year = '(?:,? (\\d{4}))?';
const timeOfDay =
  'noon|midnight|morning|afternoon|evening|night|\\d{1,2}:\\d\\d|\\d{1,2}(?:[:.]\\d\\d)? ?[ap]\\.?m\\.?';

const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const amount = `\\d{1,6}|an?|${numberWords.join('|')}`;
const spanUnits = 'm|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|mths?|months?|y|yrs?|years?';

const patterns = {
  span: new RegExp(`^(?:(in|for|last|past|the last|the past) )?(${amount}) ?(${spanUnits})( ago)?$`),
  halfSpan: /^(?:(?:in|for) )?(\d{1,3})[.,](\d) ?(h|hrs?|hours?|d|days?|w|weeks?)$/,
  timeLast: new RegExp(`^(|.*?[ ,])(?:at )?(${timeOfDay})$`),
  timeFirst: new RegExp(`^(?:at )?(${timeOfDay})(?: on)? (.+)$`),
  weekday: new RegExp(`^(?:on )?(?:(this|next|last) )?(${weekdays.join('|')})$`),
  weekdayBefore: new RegExp(`^(?:on )?(${weekdays.join('|')})\\.?,? (?=.*\\d)`),
  period: /^(this|next|last) (week|month|year)$/,
  end: /^(?:the )?end of (?:(?:the )?(this|next|last) |the )?(week|month|year)$/,
  iso: /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/,
  dayFirst: new RegExp(`^(?:on )?${dayOfMonth} ?(?:of )?${month}${year}$`),
  monthFirst: new RegExp(`^(?:on )?${month} ?${dayOfMonth}${year}$`),
  monthAlone: new RegExp(`^${month}(?: (\\d{4}))?$`),
  dotted: /^(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}|\d\d))?$/,
  slashed: /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?$/,
  dashed: /^(\d{1,2})-(\d{1,2})-(\d{4})$/,
  partOfMonth: new RegExp(`^(?:the )?(beginning|start|mid|middle|end) (?:of )?${month}(?: (\\d{4}))?$`),
  quarter: /^(?:(?:the )?end of )?q([1-4])(?: (\d{4}))?$/,
  undotted: /^(?:at )?(\d{1,2})\.(\d{2})$/,
} as const;

const units: Readonly<Record<string, SpanUnit>> = {
  mo: 'month',
  mt: 'month',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  y: 'year',
};
const relativeDays: Readonly<Record<string, number>> = {
  today: 0,
  yesterday: -1,
  tomorrow: 1,
  'day after tomorrow': 2,
  'the day after tomorrow': 2,
  'day before yesterday': -2,
};

/** What stands for other words. “Tonight” is 20:00: a reminder or a pause that ends has to come before people sleep. */
const otherWords: readonly (readonly [RegExp, string])[] = [
  [/^(?:by|before|until|till) (?=.)/, ''],
  [/^the (?=(?:this|next|last|past) )/, ''],
  [/\b(?:tonight|this night)\b/, 'today night'],
  [/\bthis (morning|afternoon|evening)\b/, 'today $1'],
  [/^(?:eod|cob|(?:the )?end of (?:the |business )?day|end of today)$/, 'today 17:00'],
  [/(?<=.,? )(?:eod|cob)$/, '17:00'],
  [/^(?:eod|cob) (?:on )?(?=.)/, '17:00 '],
  [/\bmid-(?=[a-z])/, 'mid '],
  [/^(?:the )?past (?=hour|day|week|month|year)/, 'last 1 '],
  [/^eow$/, 'end of week'],
  [/^eom$/, 'end of month'],
  [/^eoy$/, 'end of year'],
];
/** In minutes since midnight. */
const partsOfDay: Readonly<Record<string, number>> = {
  morning: 9 * 60,
  afternoon: 15 * 60,
  evening: 18 * 60,
  night: 20 * 60,
};
/** The end of a day, as `midnight` and `24:00` have it: in minutes, like the others. */
const endOfDay = 24 * 60;

/** The names of zones that the bot writes behind a time, in its languages. */
const zonePattern = /^(.*\d) ((?:utc|gmt)(?:[+−-]\d{1,2}(?::\d\d)?)?|[cew]es?t|[mow]es?z|(?:ak|ha|[abcegmp])[sd]t)$/;

/** Reads all the words as one moment, in any case; undefined when they are none. Takes constant time at most. */
export function parseTime(words: readonly string[]): TimeExpression | undefined {
  if (words.length === 0 || words.length > timeWordsAtMost) return undefined;
  const text = words.join(' ').toLowerCase();
  if (text.length > lettersAtMost) return undefined;
  const [, beforeZone, zone] = zonePattern.exec(text) ?? [];
  if (beforeZone !== undefined && zone !== undefined) {
    const time = parseTime(beforeZone.split(' '));
    return time?.kind === 'point' && time.minutes !== undefined ? { ...time, zone } : undefined;
  }
  const plain = text.replace(/^(\d{4}-\d\d-\d\d)t(?=\d)/, '$1 ').replace(/,$/, '');
  return (
    hoursIn(plain) ??
    // March in English, Tuesday in French, both in Spanish
    (/^(?:[^\d ]+ ){0,2}mar\.?$/.test(plain) && parseEnglishOrOther(plain)
      ? { kind: 'ambiguous', meanings: ['tuesday', '1 march'] }
      : undefined) ??
    parseEnglishOrOther(plain)
  );
}

function parseEnglishOrOther(plain: string): TimeExpression | undefined {
  return (
    parseEnglish(plain) ??
    inOtherLanguages(plain)
      .map(parseEnglish)
      .find((time) => time !== undefined)
  );
}

/** `until 18h` and `for 1h30`: the word before tells a time of day from a span. */
function hoursIn(text: string): TimeExpression | undefined {
  const hours = readHours(text);
  if (hours === undefined) return undefined;
  const { means, minutes } = hours;
  if (means === 'span' || minutes > endOfDay) return { kind: 'span', amount: minutes, unit: 'minute', isAgo: false };
  if (means === 'clock') return { kind: 'point', minutes };
  const clock = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  return { kind: 'ambiguous', meanings: [`${minutes}min`, clock] };
}

/** The longest moment that the words begin with. */
export function longestTime(words: readonly string[]): ReturnType<typeof longestText<TimeExpression>> {
  return longestText(words.slice(0, timeWordsAtMost), (text) => parseTime(text.split(' ')));
}

/** A time of day such as `8am`, `8:30 pm`, `17:00`, `8.30` or `noon`, in minutes since midnight. */
export function parseTimeOfDay(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === 'noon') return 12 * 60;
  if (typed === 'midnight') return 0;
  const [, hourText, minuteText, half] = /^(\d{1,2})(?:[:.](\d\d))? ?(?:([ap])\.?m\.?)?$/.exec(typed) ?? [];
  if (hourText === undefined || (minuteText === undefined && half === undefined)) return undefined;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? 0);
  if (minute > 59 || (half === undefined ? hour > 23 : hour < 1 || hour > 12)) return undefined;
  if (half === undefined) return hour * 60 + minute;
  return ((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute;
}

function parseEnglish(text: string): TimeExpression | undefined {
  const usual = otherWords.reduce((words, [pattern, usually]) => words.replace(pattern, usually), text);
  return parseSpan(usual) ?? parsePoint(usual);
}

function parseSpan(text: string): TimeExpression | undefined {
  const [, before = '', typed = '', unitWord = '', ago] = patterns.span.exec(text) ?? [];
  const [, whole, tenth, halfUnit = ''] = patterns.halfSpan.exec(text) ?? [];
  const minutesIn = { h: 60, d: 24 * 60, w: 7 * 24 * 60 }[halfUnit.charAt(0)];
  if (minutesIn !== undefined)
    return {
      kind: 'span',
      amount: Math.round((Number(whole) + Number(tenth) / 10) * minutesIn),
      unit: 'minute',
      isAgo: false,
    };
  const unit = units[unitWord.slice(0, 2)] ?? units[unitWord.charAt(0)];
  const isLast = before.endsWith('last') || before.endsWith('past');
  if (unit === undefined || (isLast && ago !== undefined)) return undefined;
  const inWords = numberWords.indexOf(typed) + 1;
  const count = typed.startsWith('a') ? 1 : inWords || Number(typed);
  return { kind: 'span', amount: count, unit, isAgo: isLast || ago !== undefined };
}

function parsePoint(text: string): TimeExpression | undefined {
  const [, dayFirst, timeLast] = patterns.timeLast.exec(text) ?? [];
  const [, timeFirst, dayLast] = patterns.timeFirst.exec(text) ?? [];
  for (const [day, time] of [
    [text, undefined],
    [dayFirst, timeLast],
    [dayLast, timeFirst],
  ] as const) {
    if (day === undefined) continue;
    const minutes = time === undefined ? undefined : minutesAt(time);
    if (time !== undefined && minutes === undefined) continue;
    const ownWords = day.replace(/[ ,]+$/, '');
    if (ownWords === '' && minutes !== undefined) return { kind: 'point', minutes };
    const parsed = parseDay(ownWords);
    if (parsed === undefined) continue;
    if (parsed.kind === 'ambiguous' || parsed.kind === 'impossible') return parsed;
    return { kind: 'point', day: parsed, ...(minutes !== undefined && { minutes }) };
  }
  return undefined;
}

/** Midnight is the end of a day: what is due on 15 December at midnight is due that day. */
function minutesAt(time: string): number | undefined {
  return time === 'midnight' || /^24[:.]00$/.test(time) ? endOfDay : (partsOfDay[time] ?? parseTimeOfDay(time));
}

type ParsedDay = DayExpression | Extract<TimeExpression, { kind: 'ambiguous' | 'impossible' }>;

function parseDay(text: string): ParsedDay | undefined {
  const days = relativeDays[text];
  if (days !== undefined) return { kind: 'relative', days };
  for (const kind of ['period', 'end'] as const) {
    const [, which = 'this', of] = patterns[kind].exec(text) ?? [];
    if (of === 'week' || of === 'month' || of === 'year')
      return { kind, of, count: ['last', 'this', 'next'].indexOf(which) - 1 };
  }
  const [, which, weekday] = patterns.weekday.exec(text) ?? [];
  if (weekday !== undefined)
    return {
      kind: 'weekday',
      weekday: numberOf(weekday, weekdayPatterns),
      which: which === 'next' || which === 'last' ? which : undefined,
    };
  const [before = '', typedWeekday = ''] = patterns.weekdayBefore.exec(text) ?? [];
  const date = parseDate(text) ?? parseDate(text.slice(before.length));
  return date?.kind === 'date' && typedWeekday !== ''
    ? { ...date, weekday: numberOf(typedWeekday, weekdayPatterns) }
    : date;
}

function parseDate(text: string): ParsedDay | undefined {
  const iso = patterns.iso.exec(text);
  if (iso) return dateOf(iso[4], Number(iso[3]), iso[1]);
  const dayFirst = patterns.dayFirst.exec(text);
  if (dayFirst) return dateOf(dayFirst[1], numberOf(dayFirst[2] ?? '', monthPatterns), dayFirst[3]);
  const monthFirst = patterns.monthFirst.exec(text);
  if (monthFirst) return dateOf(monthFirst[2], numberOf(monthFirst[1] ?? '', monthPatterns), monthFirst[3]);
  const monthAlone = patterns.monthAlone.exec(text);
  if (monthAlone) return dateOf('1', numberOf(monthAlone[1] ?? '', monthPatterns), monthAlone[2]);
  const [, part = '', ofMonth = '', ofYear] = patterns.partOfMonth.exec(text) ?? [];
  const partDay = { e: 'last', m: 15, b: 1, s: 1 }[part.charAt(0)] as DateExpression['day'] | undefined;
  if (partDay !== undefined)
    return { kind: 'date', day: partDay, month: numberOf(ofMonth, monthPatterns), ...inYear(ofYear) };
  const [, quarter, ofQuarter] = patterns.quarter.exec(text) ?? [];
  if (quarter !== undefined) return { kind: 'date', day: 'last', month: 3 * Number(quarter), ...inYear(ofQuarter) };
  const dotted = patterns.dotted.exec(text);
  if (dotted) return dateOf(dotted[1], Number(dotted[2]), dotted[3]);
  const [, first, second, slashedYear] = patterns.slashed.exec(text) ?? patterns.dashed.exec(text) ?? [];
  if (first !== undefined) return slashed(Number(first), Number(second), slashedYear);
  // People write dates and times with a dot.
  const [, hourOrDay, minuteOrMonth] = patterns.undotted.exec(text) ?? [];
  if (hourOrDay !== undefined && Number(hourOrDay) > 23) return dateOf(hourOrDay, Number(minuteOrMonth), undefined);
  if (hourOrDay !== undefined && Number(hourOrDay) < 24 && Number(minuteOrMonth) < 60)
    return ambiguousClock(Number(hourOrDay), minuteOrMonth ?? '');
  return undefined;
}

type DateExpression = Extract<DayExpression, { kind: 'date' }>;

function inYear(typed: string | undefined): Pick<DateExpression, 'year'> {
  return { year: typed === undefined ? undefined : Number(typed) };
}

/** `15.12` is a day as well as a time. */
function ambiguousClock(first: number, second: string): ParsedDay | undefined {
  const clock = `${first}:${second}`;
  const date = dateOf(String(first), Number(second), undefined);
  return date?.kind === 'date'
    ? { kind: 'ambiguous', meanings: [clock, asTyped(first, Number(second))] }
    : { kind: 'ambiguous', meanings: [clock, clock] };
}

function asTyped(day: number, monthNumber: number, yearText?: string): string {
  return [dayAndMonth(day, monthNumber).toLowerCase(), yearText?.padStart(4, '20')].join(' ').trim();
}

/** Americans write the month first, others the day. */
function slashed(first: number, second: number, yearText: string | undefined): ParsedDay | undefined {
  if (first > 12) return dateOf(String(first), second, yearText);
  if (second > 12) return dateOf(String(second), first, yearText);
  if (first === 0 || second === 0) return undefined;
  return first === second
    ? dateOf(String(first), second, yearText)
    : { kind: 'ambiguous', meanings: [asTyped(first, second, yearText), asTyped(second, first, yearText)] };
}

function dateOf(dayText: string | undefined, monthNumber: number, yearText: string | undefined): ParsedDay | undefined {
  const day = Number(dayText);
  const yearNumber = yearText === undefined ? undefined : Number(yearText.length === 2 ? `20${yearText}` : yearText);
  if (monthNumber < 1 || monthNumber > 12 || day < 1 || day > 31) return undefined;
  if (yearNumber !== undefined && (yearNumber < 1970 || yearNumber > 2200)) return undefined;
  // 2024 is a leap year.
  if (day > daysIn(monthNumber, yearNumber ?? 2024)) return { kind: 'impossible', day, month: monthNumber };
  return { kind: 'date', day, month: monthNumber, year: yearNumber };
}

export function daysIn(monthNumber: number, yearNumber: number): number {
  return new Date(Date.UTC(yearNumber, monthNumber, 0)).getUTCDate();
}

/** The number of the pattern that the text matches, from 1. */
function numberOf(text: string, alternatives: readonly RegExp[]): number {
  return alternatives.findIndex((alternative) => alternative.test(text)) + 1;
}

/** `15` and `12` as `15 Dec`. */
export function dayAndMonth(day: number, monthNumber: number): string {
  return `${day} ${monthNames[monthNumber - 1] ?? ''}`;
}
