import type { Validity } from '../../domain/campaign.ts';
import { wordAt, wordsFrom, type Taken } from '../clauses/clause.ts';
import { dayAndMonth, daysIn, parseTime } from '../dates/time-expression.ts';
import { meaningAmong } from '../other-words/meanings.ts';
import { unquote, type Token } from '../typed-text.ts';
import { invalid, namesNothing, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say, countOf, inEnglish, markedDate } from '../../domain/said.ts';

/** How long a pass counts: `12 months`, `2 years`, or until the same date for everyone: `until 31 jan`. */
export interface ValidityField extends FieldBase {
  kind: 'validity';
}

const monthsAtMost = 120;
const wordsAtMost = 5;
const monthsOf: Readonly<Record<string, number>> = { month: 1, year: 12 };

export const validityKind: FieldKind<ValidityField, Validity> = {
  ...namesNothing,
  split: (typed) => [unquote(typed)],
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
  const words = wordsFrom(tokens, begin, wordsAtMost);
  for (let length = words.length; length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ');
    if (parseValidity(text) !== undefined) return { texts: [text.replace(/,$/, '')], end: begin + length };
  }
  return undefined;
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
