import { wordAt, type Taken } from '../clauses/clause.ts';
import type { Token } from '../typed-text.ts';
import { invalid, namesNothing, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say, countOf } from '../../domain/said.ts';

/** A list of times such as `7d, 1d`, in milliseconds, the longest first; `none` for an empty list. */
export interface DurationsField extends FieldBase {
  kind: 'durations';
  /** How many there can be; 1 for a single time. */
  atMost: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestMs = 366 * dayMs;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs };

export const durationsKind: FieldKind<DurationsField, number[]> = {
  ...namesNothing,
  split: (typed) => [typed],
  take: takeDurations,
  resolve(typed, { atMost }) {
    const texts = typed
      .flatMap((text) => text.split(/[,;]|\band\b/i))
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (texts.length === 1 && texts[0]?.toLowerCase() === 'none') return valueOf([]);
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
    if (known !== undefined) texts.push(known);
    else if (several) texts.push(...word.split(','));
    else if (isTwo) texts.push(two);
    else if (texts.length === 0 || !(tokens[at]?.kind === 'separator' || /^(?:and|&|)$/.test(word))) break;
    const isTime = known !== undefined || several || isTwo;
    at += isTwo && known === undefined && !several ? 2 : 1;
    if (isTime) end = at;
  }
  if (texts.length === 0) return undefined;
  return { texts, end: wordAt(tokens, end) === 'before' ? end + 1 : end };
}

/** `12h`, `7d`, `2 weeks`; undefined for any other text, and for nothing at all. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5} ?|an? )(h|hrs?|hours?|d|days?|w|wks?|weeks?)$/i.exec(text.trim()) ?? [];
  const ms = (/^an? $/i.test(amount ?? '') ? 1 : Number(amount)) * (unitMs[unit.charAt(0).toLowerCase()] ?? 0);
  return amount === undefined || ms === 0 ? undefined : ms;
}

/** As `parseDuration` reads it. */
function shortDuration(ms: number): string {
  return ms % dayMs === 0 ? `${ms / dayMs}d` : `${Math.round(ms / hourMs)}h`;
}

/** `7 days`, `1 hour`. */
export function durationWords(ms: number): string {
  return ms % dayMs === 0 ? countOf(ms / dayMs, 'day', 'days') : countOf(Math.round(ms / hourMs), 'hour', 'hours');
}
