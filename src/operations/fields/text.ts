import { longestText, wordsFrom, mentionsInWords, tokenize, unquote, type Token } from '../typed-text.ts';
import type { OperationContext } from '../context.ts';
import { readHours } from '../dates/other-languages.ts';
import { zoneOf, takeTimeOfDay, readTime, saidTime } from '../dates/typed-time.ts';
import { parseTime, timeWordsAtMost } from '../dates/time-expression.ts';
import { meaningAmong, meansOneOf } from '../other-words/meanings.ts';
import { invalid, usualKind, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { unclear, type UnclearValue } from '../text-input.ts';
import { say } from '../../domain/said.ts';
import { moment } from '../../time/date-words.ts';
import { isFullAddress } from '../../domain/address.ts';

interface EmailField extends FieldBase {
  kind: 'email';
}

export const emailKind: FieldKind<EmailField, string> = {
  ...usualKind,
  take(tokens, from) {
    const text = wordsFrom(tokens, from, 1).join('').replace(/,$/, '');
    return isFullAddress(text) ? { texts: [text], end: from + 1 } : undefined;
  },
  resolve([text = '']) {
    if (isFullAddress(text)) return valueOf(text);
    return invalid(say`This isn’t an e-mail address. Enter one like rosa@example.com.`);
  },
  identify: (address) => [address],
  describe: (address) => address,
};

export interface TextField extends FieldBase {
  kind: 'text';
  /** In UTF-16 units. */
  maxLength: number;
  /** The operation parses the text itself: quotation marks and mentions stay in it. */
  isParsed?: true;
  /** The operation resolves mentions itself: they stay as `formatMention` writes them. */
  keepsMentions?: true;
  /** It says when in a day. */
  isTimeOfDay?: true;
  /** It says when. What it says depends on the clock, so the operation reads it. */
  isTime?: true;
  /** A form has it picked, and asks for it; typed it is where it was typed before, and behind **More…**. */
  isPicked?: true;
}

/** A moment as buttons and pickers have it. */
export const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const limitWord = /^(?:(?:due|until|to|by|for)\s+|\+\s*)/i;

/** Whether a text says when: also `none`, a moment as buttons have it, and how much later, such as `1 week more`. */
function isTimeText(typed: string): boolean {
  const text = typed.trim().replace(limitWord, '');
  if (isNoTime(text) || isInstant(text)) return true;
  return timeOrMore(text) !== undefined;
}

/** A time, also how much later, such as `1 week more`. */
export const timeOrMore = (text: string) => parseTime(withoutMore(text).split(/\s+/));

/** What a time could mean that means two things; undefined where it means one. */
function meaningsOf(typed: string, { now, ...context }: OperationContext): UnclearValue | undefined {
  const setting = { nowMs: now(), timeZone: zoneOf(context) };
  const read = (text: string) => readTime(text, { ...setting, direction: 'future' });
  const time = read(typed.trim().replace(limitWord, ''));
  if (time?.kind !== 'problem' || time.meanings === undefined) return undefined;
  const candidates = time.meanings.flatMap((value) => {
    const meant = read(value);
    return meant?.kind === 'moment' ? [{ value, label: saidTime(meant.atMs, { ...setting, isDay: meant.isDay }) }] : [];
  });
  return unclear(typed, 'meaning', candidates);
}

/** Whether a text says that there is no time. */
export function isNoTime(text: string): boolean {
  return text.toLowerCase() === 'none' || meansOneOf(text, ['none']);
}

/** `1 week` of `1 week more`, in any language. */
export function withoutMore(text: string): string {
  const tokens = tokenize(text);
  const more = tokens.findIndex((_, at) => {
    const length = meaningAmong(tokens, at, ['more'])?.length;
    return at > 0 && length !== undefined && at + length === tokens.length;
  });
  const end = more === -1 ? undefined : tokens[more - 1]?.end;
  return text.slice(0, end).replace(/\s+(?:more|later|longer)$/i, '');
}

export const textKind: FieldKind<TextField, string> = {
  ...usualKind,
  split(typed, { isParsed, keepsMentions }) {
    if (isParsed) return [typed.trim()];
    return [keepsMentions ? unquote(typed) : mentionsInWords(unquote(typed))];
  },
  take(tokens, from, { isTime, isTimeOfDay, clause }) {
    const token = tokens[from];
    if (isTimeOfDay) return takeTimeOfDay(tokens, from);
    if (clause?.isRest) return token && { texts: [restOf(tokens.slice(from))], end: tokens.length };
    if (clause?.after || (clause?.takes && !isTime))
      return token?.kind === 'word' || token?.kind === 'quoted' ? { texts: [token.text], end: from + 1 } : undefined;
    if (!isTime) return token?.kind === 'quoted' ? { texts: [mentionsInWords(token.text)], end: from + 1 } : undefined;
    if (token?.kind === 'quoted') return isTimeText(token.text) ? { texts: [token.text], end: from + 1 } : undefined;
    const time = longestText(wordsFrom(tokens, from, timeWordsAtMost), timeOrMore);
    const text = time?.text.replace(/,$/, '') ?? '';
    return time && { texts: [inOwnWords(text, tokens.slice(Math.max(0, from - 3), from))], end: from + time.length };
  },
  resolve([text = '', ...others], { maxLength, isTime }, context) {
    if (isTime && others.length > 0) return invalid(say`Pick a time or type one, not both.`);
    if (isTime && !isTimeText(text))
      return unknownText(say`“${text}” isn’t a time I know. Type it like 15 dec 17:00, friday or in 2 weeks.`);
    const meanings = isTime ? meaningsOf(text, context) : undefined;
    if (meanings) return meanings;
    if (text.length <= maxLength) return valueOf(text);
    return invalid(say`This is ${text.length} characters long, and ${maxLength} is the limit.`);
  },
  identify: (text) => [text],
  describe(text, { isTime, isParsed, keepsMentions }) {
    if (isTime && isInstant(text)) return moment(Date.parse(text));
    return isParsed || keepsMentions ? mentionsInWords(text) : text;
  },
};

/** `18h` as `18:00` behind “until”, and `1h30` as `90min` behind “for”: the word before it is not kept. */
function inOwnWords(text: string, before: readonly Token[]): string {
  for (let from = 0; from < before.length; from += 1) {
    const words = before.slice(from).map((token) => token.text);
    const hours = readHours([...words, text].join(' '));
    if (hours?.means === 'span') return readHours(text) ? `${hours.minutes}min` : text;
    if (hours?.means === 'clock' && hours.minutes <= 24 * 60)
      return `${Math.floor(hours.minutes / 60)}:${String(hours.minutes % 60).padStart(2, '0')}`;
  }
  return text;
}

function restOf(tokens: readonly Token[]): string {
  return tokens.reduce(
    (text, { kind, text: word }) =>
      kind === 'separator' || text === '' ? text + word : `${text} ${mentionsInWords(word)}`,
    '',
  );
}
