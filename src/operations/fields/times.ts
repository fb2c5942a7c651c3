import { hourMs, dayMs } from '../../domain/durations.ts';
import { longestText, wordAt, wordsFrom, type Taken, type Token } from '../typed-text.ts';
import { inOtherLanguages } from '../dates/other-languages.ts';
import { meaningAmong, partsAtAnd } from '../other-words/meanings.ts';
import type { TypedWord } from '../other-words/other-words.ts';
import { isNoTime } from './text.ts';
import { invalid, usualKind, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say, countOf, inEnglish, markedDate } from '../../domain/said.ts';
import type { Validity } from '../../domain/campaign.ts';
import { dayAndMonth, daysIn, parseTime } from '../dates/time-expression.ts';

/** A list of times such as `7d, 1d`, in milliseconds, the longest first; `none` for an empty list. */
interface DurationsField extends FieldBase {
  kind: 'durations';
  /** How many there can be; 1 for a single time. */
  atMost: number;
}

const longestMs = 366 * dayMs;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs };

export const durationsKind: FieldKind<DurationsField, number[]> = {
  ...usualKind,
  split: (typed) => [typed],
  take: takeDurations,
  resolve(typed, { atMost }) {
    const texts = typed
      .flatMap((text) => text.split(/[,;]|\band\b/i))
      .flatMap(partsAtAnd)
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (texts.length === 1 && isNoTime(texts[0] ?? '')) return valueOf([]);
    if (texts.length > atMost)
      return invalid(
        atMost === 1
          ? say`Enter a single time, for example 1d.`
          : say`You entered ${texts.length} times, and ${atMost} is the limit.`,
      );
    const durations: number[] = [];
    for (const text of texts) {
      const ms = parseDuration(text);
      if (ms === undefined)
        return unknownText(
          say`“${text}” isn’t a number of hours, days or weeks. Try ${atMost === 1 ? '1d or 12h' : '7d, 1d'}, or none.`,
        );
      if (ms > longestMs) return invalid(say`“${text}” is more than a year.`);
      durations.push(ms);
    }
    return valueOf([...new Set(durations)].toSorted((a, b) => b - a));
  },
  identify: (durations) => (durations.length === 0 ? ['none'] : durations.map(shortDuration)),
  describe: (durations) => (durations.length === 0 ? say`none` : durations.map(durationWords).join(', ')),
};

/** What people type for a single time. */
const everyWords: Readonly<Record<string, string>> = { daily: '1d', weekly: '1w' };

/** Times in a row: `7d, 1d`, `7 days and 12h`, `a week before`. A single time can be `daily`. */
function takeDurations(tokens: readonly Token[], from: number, { atMost }: DurationsField): Taken | undefined {
  const texts: string[] = [];
  let end = wordAt(tokens, from) === 'every' && atMost === 1 ? from + 1 : from;
  for (let at = end; at < tokens.length;) {
    const word = (wordAt(tokens, at) ?? '').replace(/,$/, '');
    const two = `${word} ${(wordAt(tokens, at + 1) ?? '').replace(/,$/, '')}`;
    const known = word === 'none' ? word : atMost === 1 ? everyWords[word] : undefined;
    const several = word.split(',').every((text) => parseDuration(text) !== undefined);
    const isTwo = parseDuration(two) !== undefined;
    const other = known === undefined && !several && !isTwo ? timeInOther(tokens, at, atMost) : undefined;
    if (known !== undefined) texts.push(known);
    else if (several) texts.push(...word.split(','));
    else if (isTwo) texts.push(two);
    else if (other) texts.push(other.text);
    else if (texts.length === 0 || !isBetween(tokens, at)) break;
    const isTime = known !== undefined || several || isTwo || other !== undefined;
    at += other?.length ?? (isTwo && known === undefined && !several ? 2 : 1);
    if (isTime) end = at;
  }
  if (texts.length === 0) return undefined;
  return { texts, end: end + lengthOf(tokens, end, 'before') };
}

/** A time in another language: `täglich`, `eine Woche`, `14 dni`, `keine`. */
function timeInOther(
  tokens: readonly Token[],
  at: number,
  atMost: number,
): { text: string; length: number } | undefined {
  const word = meaningAmong(tokens, at, ['none', ...(atMost === 1 ? Object.keys(everyWords) : [])]);
  if (word) return { text: everyWords[word.english] ?? word.english, length: word.length };
  const words = wordsFrom(tokens, at, spanWordsAtMost).map((one) => one.replace(/,$/, ''));
  return longestText(words, parseDuration);
}

/** Whether two times can have the token between them. */
function isBetween(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.kind === 'separator') return true;
  return /^(?:&|,|)$/.test(wordAt(tokens, at) ?? '') || lengthOf(tokens, at, 'and') === 1;
}

/** How many words mean an English word at a token. */
function lengthOf(tokens: readonly Token[], at: number, english: TypedWord): number {
  return wordAt(tokens, at) === english ? 1 : (meaningAmong(tokens, at, [english])?.length ?? 0);
}

/** `14 dni`, `eine Woche`. */
const spanWordsAtMost = 3;

/** `12h`, `7d`, `2 weeks`; undefined for any other text, and for nothing at all. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5} ?|an? )(h|hrs?|hours?|d|days?|w|wks?|weeks?)$/i.exec(text.trim()) ?? [];
  const ms = (/^an? $/i.test(amount ?? '') ? 1 : Number(amount)) * (unitMs[unit.charAt(0).toLowerCase()] ?? 0);
  if (amount !== undefined) return ms === 0 ? undefined : ms;
  return parseOther(text);
}

/** A number of hours, days or weeks in another language: `12 Stunden`, `sept jours`, `2 tygodnie`, `tydzień`. */
function parseOther(text: string): number | undefined {
  for (const english of inOtherLanguages(text.trim())) {
    const [, amount = '1', unit = ''] = /^(?:(\d{1,5}) )?(hour|day|week)$/.exec(english) ?? [];
    const ms = Number(amount) * (unitMs[unit.charAt(0)] ?? 0);
    if (ms !== 0) return ms;
  }
  return undefined;
}

/** As `parseDuration` reads it. */
function shortDuration(ms: number): string {
  return ms % dayMs === 0 ? `${ms / dayMs}d` : `${Math.round(ms / hourMs)}h`;
}

/** `7 days`, `1 hour`. */
export function durationWords(ms: number): string {
  return ms % dayMs === 0 ? countOf(ms / dayMs, 'day', 'days') : countOf(Math.round(ms / hourMs), 'hour', 'hours');
}

/** How long a pass counts: `12 months`, `2 years`, or until the same date for everyone: `until 31 jan`. */
interface ValidityField extends FieldBase {
  kind: 'validity';
}

const monthsAtMost = 120;
const wordsAtMost = 5;
const monthsOf: Readonly<Record<string, number>> = { month: 1, year: 12 };

export const validityKind: FieldKind<ValidityField, Validity> = {
  ...usualKind,
  take: takeValidity,
  resolve([text = '']) {
    const validity = parseValidity(text);
    if (validity === undefined)
      return unknownText(
        say`“${text}” isn’t a time for which a pass can count. Type it like 12 months, or until 31 jan.`,
      );
    return 'months' in validity && (validity.months < 1 || validity.months > monthsAtMost)
      ? invalid(say`A pass can count for 1 month to 10 years.`)
      : valueOf(validity);
  },
  identify: (validity) => [typedValidity(validity)],
  describe: validityWords,
};

/** The longest that the words say. “Until” and “for” also begin other clauses, so they belong to this one where such a time follows. */
function takeValidity(tokens: readonly Token[], from: number): Taken | undefined {
  const token = tokens[from];
  if (token?.kind === 'quoted') return parseValidity(token.text) && { texts: [token.text], end: from + 1 };
  const inOther = meaningAmong(tokens, from, ['for', 'until'])?.length ?? 0;
  const begin = from + (/^(?:for|until|till)$/.test(wordAt(tokens, from) ?? '') ? 1 : inOther);
  const longest = longestText(wordsFrom(tokens, begin, wordsAtMost), parseValidity);
  return longest && { texts: [longest.text.replace(/,$/, '')], end: begin + longest.length };
}

export function parseValidity(text: string): Validity | undefined {
  const words = text
    .trim()
    .replace(/^(?:for|until|till)\s+/i, '')
    // “every year”
    .replace(/^(?=(?:month|year)$)/i, '1 ')
    .split(/\s+/);
  const time = parseTime(words);
  if (time?.kind === 'span') {
    const months = monthsOf[time.unit];
    return months === undefined || time.isAgo ? undefined : { months: months * time.amount };
  }
  if (time?.kind !== 'point' || time.minutes !== undefined || time.day?.kind !== 'date' || time.day.year !== undefined)
    return undefined;
  const { month, day } = time.day;
  return { until: { month, day: day === 'last' ? daysIn(month, 2026) : day } };
}

/** `12 months`, `until 31 Jan`, as `parseValidity` reads it. */
function typedValidity(validity: Validity): string {
  return 'until' in validity
    ? `until ${dayAndMonth(validity.until.day, validity.until.month)}`
    : inEnglish(validityWords(validity));
}

/** `12 months`, `until 31 Jan`. */
export function validityWords(validity: Validity): string {
  if ('until' in validity) {
    const { month, day } = validity.until;
    // A leap year has every day.
    const atMs = Date.UTC(2000, month - 1, day);
    return say`until ${markedDate(dayAndMonth(day, month), { form: 'dayOfYear', atMs, zone: 'UTC' })}`;
  }
  const { months } = validity;
  if (months % 12 !== 0 || months === 12) return countOf(months, 'month', 'months');
  return countOf(months / 12, 'year', 'years');
}
