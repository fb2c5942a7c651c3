import { dayMs } from '../../domain/durations.ts';
import { say } from '../../domain/said.ts';
import { beginningOfDay, isDay, wallClock } from '../../time/wall-clock.ts';
import { wordAt, wordsFrom, tokenize, type Token } from '../typed-text.ts';
import { zoneOf, pastDays, readTime, saidTime } from '../dates/typed-time.ts';
import { longestTime } from '../dates/time-expression.ts';
import { InvalidInputError } from '../text-input.ts';
import { meaningAmong } from '../other-words/meanings.ts';
import { usualKind, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

/** Times that have passed, such as `since monday` or `last week`. A day alone, as forms have it, is the first. */
interface PeriodField extends FieldBase {
  kind: 'period';
}

/** On the wall clock: `yyyy-MM-dd`, or `yyyy-MM-ddTHH:mm`. A last day counts as a whole. */
export interface Period {
  since?: string;
  until?: string;
}

interface TypedPart {
  kind: 'since' | 'until' | 'days';
  time: string;
  /** In tokens. */
  length: number;
}

/** Finding days takes a lookup for each word, so a line has them near its beginning or not at all. */
const wordsWithDays = 60;

export const periodKind: FieldKind<PeriodField, Period> = {
  ...usualKind,
  take(tokens, from) {
    const end = from + (partAt(tokens, from)?.length ?? 0);
    const words = tokens.slice(from, end).map(({ text }) => text);
    return words.length > 0 ? { texts: [words.join(' ')], end } : undefined;
  },
  resolve(typed, _field, context) {
    try {
      return valueOf(readPeriod(typed, { nowMs: context.now(), timeZone: zoneOf(context) }));
    } catch (error) {
      if (error instanceof InvalidInputError) return { ...unknownText(error.message), isExplained: true };
      throw error;
    }
  },
  identify: ({ since, until }) => [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ],
  describe: (period) => periodKind.identify(period).join(' '),
};

/** The longest part that begins at a token; undefined where none does. */
function partAt(tokens: readonly Token[], at: number): TypedPart | undefined {
  const [, ofSince] = /^since:(.+)$/.exec(wordAt(tokens, at) ?? '') ?? [];
  if (ofSince !== undefined && longestTime([ofSince])) return { kind: 'since', time: ofSince, length: 1 };
  const word = limitAt(tokens, at);
  const longest = longestTime(wordsFrom(tokens, at + (word?.length ?? 0), 9));
  if (longest === undefined) return undefined;
  const [time, length] = [longest.text.replace(/,$/, ''), (word?.length ?? 0) + longest.length];
  if (word) return { kind: word.kind, time, length };
  const isOfThePast = at < wordsWithDays && pastDays(longest.means, { nowMs: 0, timeZone: 'UTC' });
  return isOfThePast ? { kind: 'days', time, length } : undefined;
}

/** Whether a time has to follow: `since`, `until`, in any language. */
function limitAt(tokens: readonly Token[], at: number): { kind: 'since' | 'until'; length: number } | undefined {
  const word = wordAt(tokens, at);
  if (word === 'since' || word === 'until') return { kind: word, length: 1 };
  const meaning = meaningAmong(tokens, at, ['since', 'until']);
  return meaning && { kind: meaning.english === 'since' ? 'since' : 'until', length: meaning.length };
}

/** What stands among names where a time has to follow, and none does: `since kitchen`. */
export function strayPeriod(names: readonly Token[]): string[] | undefined {
  const at = names.findIndex((_, index) => /^(?:since|until)$/.test(wordAt(names, index) ?? ''));
  const words = at === -1 ? [] : names.slice(at, at + 2).map(({ text }) => text);
  return words.length > 0 ? [words.join(' ')] : undefined;
}

/** @throws {InvalidInputError} */
export function readPeriod(typed: readonly string[], setting: Setting): Period {
  const period: Period = {};
  for (const text of typed) {
    const tokens = tokenize(text);
    for (let at = 0; at < tokens.length;) {
      const { kind, time, length } = partAt(tokens, at) ?? restAt(tokens, at);
      if (kind === 'days') Object.assign(period, daysOf(time, setting));
      else period[kind] = wallTimeOf(time, kind, setting);
      at += length;
    }
  }
  const { since, until } = period;
  if (since !== undefined && until !== undefined && since > until)
    throw new InvalidInputError(
      'period',
      say`Nothing is both since ${timeInWords(since, setting.nowMs)} and until ${timeInWords(until, setting.nowMs)}.`,
    );
  return period;
}

/** What is no period that is known, after its word. */
function restAt(tokens: readonly Token[], at: number): TypedPart {
  const word = limitAt(tokens, at);
  const rest = tokens.slice(at + (word?.length ?? 0)).map(({ text }) => text);
  return { kind: word?.kind ?? 'since', time: rest.join(' '), length: tokens.length };
}

interface Setting {
  nowMs: number;
  timeZone: string;
}

function daysOf(typed: string, setting: Setting): Period {
  const time = longestTime(typed.split(' '))?.means;
  const days = time && pastDays(time, setting);
  if (days === undefined) throw new InvalidInputError('period', unknownPeriod(typed));
  const date = (day: number) => new Date(day).toISOString().slice(0, 'yyyy-MM-dd'.length);
  return { since: date(days.first), ...(days.last !== undefined && { until: date(days.last) }) };
}

/** A typed time as the wall clock shows it: a day alone where a day or days were typed. */
function wallTimeOf(typed: string, word: 'since' | 'until', { nowMs, timeZone }: Setting): string {
  const time = readTime(typed, { nowMs, timeZone, direction: 'past' });
  if (time === undefined) throw new InvalidInputError('period', unknownPeriod(`${word} ${typed}`.trim()));
  if (time.kind === 'problem') throw new InvalidInputError('period', time.message);
  if (word === 'since' && time.atMs > nowMs)
    throw new InvalidInputError('period', `${say`“${typed}” is still to come.`} ${sinceHint}`);
  const shown = new Date(wallClock(timeZone).shownAt(time.atMs)).toISOString();
  return shown.slice(0, time.isDay ? 'yyyy-MM-dd'.length : 'yyyy-MM-ddTHH:mm'.length);
}

const sinceHint = say`After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.`;

function unknownPeriod(typed: string): string {
  return say`I don’t know “${typed}”. Try since 7d, since monday or last week.`;
}

/** The moments of a period, in milliseconds since the epoch: the first, and the first after it. */
export function momentsOf({ since, until }: Period, timeZone: string): { fromMs: number; toMs: number } {
  return {
    fromMs: since === undefined ? -Infinity : momentOf(since, timeZone),
    toMs: until === undefined ? Infinity : momentOf(until, timeZone) + (isDay(until) ? dayMs : 0),
  };
}

/** Without a `Z`, a text with a time of day would be in the zone of the machine. */
function momentOf(time: string, timeZone: string): number {
  return beginningOfDay(time, timeZone) ?? wallClock(timeZone).firstMomentOf(Date.parse(`${time}Z`));
}

/** A period as people read it, such as “since Sun 15 Nov”. `nowMs` tells which years are worth saying. */
export function periodWords({ since, until }: Period, nowMs: number): string[] {
  return [
    ...(since === undefined ? [] : [say`since ${timeInWords(since, nowMs)}`]),
    ...(until === undefined ? [] : [say`until ${timeInWords(until, nowMs)}`]),
  ];
}

/** The texts are times of the wall clock, so every zone gives the same words. */
function timeInWords(time: string, nowMs: number): string {
  return saidTime(momentOf(time, 'UTC'), { nowMs, timeZone: 'UTC', isDay: isDay(time) });
}
