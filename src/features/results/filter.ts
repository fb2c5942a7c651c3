import { say } from '../../domain/said.ts';
import { plainName } from '../../directory/names.ts';
import { named } from '../../domain/sentence.ts';
import { fitsOutcome, outcomeFilters, type OutcomeFilter } from '../../domain/submission-outcome.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { beginningOfDay, isDay, wallClock } from '../../time/wall-clock.ts';
import { longestTime, type TimeExpression } from '../../operations/dates/time-expression.ts';
import { pastDays, readTime, saidTime } from '../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { meaningAmong } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, parseMention, partsOf, quote, type Token } from '../../operations/typed-text.ts';

/** Which attempts at a quiz to look at. A property that is missing narrows nothing. */
export interface ResultsFilter {
  outcome?: OutcomeFilter;
  /** The earliest submission, as typed: `7d`, `monday`. After `resolveSince`, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm`. */
  since?: string;
  /** The latest submission, likewise; a day counts as a whole. */
  until?: string;
  /** Days as typed: `last week`. `resolveSince` puts them into `since` and `until`. */
  days?: string;
  /** Words of a person’s name, or the name of a group. `fitsFilter` reads them as a person’s name. */
  person?: string;
  /** A mentioned person, as `formatMention` writes it. `fitsFilter` does not know whose attempts are theirs. */
  mention?: string;
}

/**
 * Reads a filter as people type it: `passed`, `failed`, `ungraded`, `since 7d`, `last week`, words of a name and a mention, in
 * any order. Quoted text is a name.
 * @throws {InvalidInputError}
 */
export function parseFilter(text: string): ResultsFilter {
  const filter: ResultsFilter = {};
  const names: string[] = [];
  const parts = filterParts(text);
  for (const [index, part] of parts.entries()) {
    switch (part.kind) {
      case 'outcome':
        if (filter.outcome && filter.outcome !== part.outcome)
          throw invalid(
            say`No attempt is both ${asTyped[filter.outcome]} and ${asTyped[part.outcome]}. Leave one of them out.`,
          );
        filter.outcome = part.outcome;
        break;
      case 'since':
      case 'until':
      case 'days':
        filter[part.kind] = part.time;
        break;
      case 'mention':
        if (filter.mention !== undefined) throw invalid(say`Name only one person.`);
        filter.mention = part.token.text;
        break;
      case 'other':
        if (isLimit(part.token)) throw invalid(unknownTime(text.slice(part.start, parts[index + 1]?.end)));
        names.push(part.token.kind === 'mention' ? mentionsInWords(part.token.text) : part.token.text);
    }
  }
  const person = names.filter((name) => name !== '').join(' ');
  return { ...filter, ...(person !== '' && { person }) };
}

/** A part of a typed filter, from `start` to `end` in the text. */
export type FilterPart = { start: number; end: number } & (
  | { kind: 'outcome'; outcome: OutcomeFilter }
  | { kind: 'since' | 'until' | 'days'; time: string }
  | { kind: 'mention'; token: Token }
  | { kind: 'other'; token: Token }
);

/** What else people type for an outcome. */
const outcomeWords: Readonly<Record<string, OutcomeFilter>> = {
  ...Object.fromEntries(outcomeFilters.flatMap((outcome) => [outcome, `is:${outcome}`].map((word) => [word, outcome]))),
  pass: 'passed',
  passing: 'passed',
  fail: 'failed',
  failing: 'failed',
  failures: 'failed',
  'not passed': 'failed',
  'not graded': 'ungraded',
  'not marked yet': 'ungraded',
  'to be marked': 'ungraded',
  'waiting to be marked': 'ungraded',
  'not graded or not marked yet': 'ungraded',
};
const outcomeWordsAtMost = Math.max(...Object.keys(outcomeWords).map((words) => words.split(' ').length));

/** Finding days takes a lookup for each word, so a line has them near its beginning or not at all. */
const wordsWithDays = 60;

/** Tells the words of a filter from those that can belong to a name. */
export function filterParts(text: string): FilterPart[] {
  const parts: FilterPart[] = [];
  const tokens = partsOf(text);
  const withoutCommas = tokens.map((token) =>
    token.kind === 'word' ? { ...token, text: token.text.replace(/(?<=.),$/, '') } : token,
  );
  for (let at = 0; at < tokens.length;) {
    const { part, length } = outcomePartAt(withoutCommas, at) ?? filterPartAt(tokens, at);
    parts.push({ ...part, start: tokens[at]!.start, end: tokens[at + length - 1]!.end });
    at += length;
  }
  return parts;
}

type Unplaced<P> = P extends unknown ? Omit<P, 'start' | 'end'> : never;

interface PartAt {
  part: Unplaced<FilterPart>;
  /** In tokens. */
  length: number;
}

/** An outcome, with “only” before it or after it. */
function outcomePartAt(tokens: readonly Token[], at: number): PartAt | undefined {
  const only = lengthOfOnly(tokens, at);
  const found = outcomeAt(tokens, at + only);
  if (found === undefined) return undefined;
  const length = only + found.length;
  return {
    part: { kind: 'outcome', outcome: found.outcome },
    length: length + lengthOfOnly(tokens, at + length),
  };
}

function filterPartAt(tokens: readonly Token[], at: number): PartAt {
  const token = tokens[at]!;
  const limit = limitAt(tokens, at);
  if (limit) return limit;
  const [, ofSince] = token.kind === 'word' ? (/^since:(.+)$/i.exec(token.text) ?? []) : [];
  if (ofSince !== undefined && longestTime([ofSince])) return { part: { kind: 'since', time: ofSince }, length: 1 };
  const days = token.kind === 'word' && at < wordsWithDays ? timeAt(tokens, at) : undefined;
  if (days && pastDays(days.time, { nowMs: 0, timeZone: 'UTC' }))
    return { part: { kind: 'days', time: days.text }, length: days.length };
  if (token.kind === 'mention' && parseMention(token.text)?.kind === 'person')
    return { part: { kind: 'mention', token }, length: 1 };
  return { part: { kind: 'other', token }, length: 1 };
}

/** How many words of “only” there are at a token. */
function lengthOfOnly(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  return token && isWord(token, 'only') ? 1 : (meaningAmong(tokens, at, ['only'])?.length ?? 0);
}

function outcomeAt(tokens: readonly Token[], at: number): { outcome: OutcomeFilter; length: number } | undefined {
  for (let length = outcomeWordsAtMost; length > 0; length -= 1) {
    const some = tokens.slice(at, at + length);
    const outcome = outcomeWords[some.map(({ text }) => text.toLowerCase()).join(' ')];
    if (outcome && some.length === length && some.every(({ kind }) => kind === 'word')) return { outcome, length };
  }
  const meaning = meaningAmong(tokens, at, outcomeFilters);
  const outcome = outcomeFilters.find((known) => known === meaning?.english);
  return outcome && meaning && { outcome, length: meaning.length };
}

function limitAt(
  tokens: readonly Token[],
  at: number,
): { part: { kind: 'since' | 'until'; time: string }; length: number } | undefined {
  const inOther = isLimit(tokens[at]!) ? undefined : meaningAmong(tokens, at, ['since', 'until']);
  if (!isLimit(tokens[at]!) && inOther === undefined) return undefined;
  const kind = isWord(tokens[at]!, 'since') || inOther?.english === 'since' ? 'since' : 'until';
  const before = inOther?.length ?? 1;
  const time = timeAt(tokens, at + before);
  return time && { part: { kind, time: time.text }, length: before + time.length };
}

function timeAt(
  tokens: readonly Token[],
  at: number,
): { text: string; length: number; time: TimeExpression } | undefined {
  const following = tokens.slice(at, at + 9);
  const end = following.findIndex(({ kind }) => kind !== 'word');
  const words = (end === -1 ? following : following.slice(0, end)).map(({ text }) => text);
  const longest = longestTime(words);
  return longest && { ...longest, text: words.slice(0, longest.length).join(' ') };
}

/** Writes a filter so that `parseFilter` reads the same. */
export function formatFilter({ outcome, since, until, days, person, mention }: ResultsFilter): string {
  return [
    outcome,
    since && `since ${since}`,
    until && `until ${until}`,
    days,
    person && (isTypedAlone(person) ? person : quote(person, ['“', '”'])),
    mention,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** A filter as a sentence: “failed, since Sun 15 Nov, @rosa”. Call `resolveSince` first. */
export function filterInWords(
  { outcome, since, until, person, mention }: ResultsFilter,
  { nowMs }: { nowMs: number },
): string {
  // The texts are times of the wall clock, so every zone gives the same words.
  const inWords = (time: string) => saidTime(momentOf(time, 'UTC'), { nowMs, timeZone: 'UTC', isDay: isDay(time) });
  return [
    outcome && outcomeInWords[outcome],
    since === undefined ? undefined : say`since ${inWords(since)}`,
    until === undefined ? undefined : say`until ${inWords(until)}`,
    person && named(person),
    mention && mentionsInWords(mention),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

const outcomeInWords: Readonly<Record<OutcomeFilter, string>> = {
  passed: say`passed`,
  failed: say`failed`,
  ungraded: say`not graded`,
};

/** What a person typed, in their language. */
const asTyped: Readonly<Record<OutcomeFilter, string>> = { ...outcomeInWords, ungraded: say`ungraded` };

/**
 * The same filter with `since` as a time of the wall clock: what is typed in days begins with the day.
 * @param setting.timeZone that of the person who typed it
 * @throws {InvalidInputError}
 */
export function resolveSince(
  filter: ResultsFilter,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): ResultsFilter {
  const { days, since, until, ...others } = filter;
  const setting = { nowMs, timeZone };
  const limits = {
    ...(days !== undefined && daysInDates(days, setting)),
    ...(since !== undefined && { since: wallTimeOf(since, 'since', setting) }),
    ...(until !== undefined && { until: wallTimeOf(until, 'until', setting) }),
  };
  if (limits.since !== undefined && limits.until !== undefined && limits.since > limits.until)
    throw invalid(say`Nothing is both since ${limits.since} and until ${limits.until}.`);
  return { ...others, ...limits };
}

function daysInDates(
  typed: string,
  setting: { nowMs: number; timeZone: string },
): Pick<ResultsFilter, 'since' | 'until'> {
  const time = longestTime(typed.split(' '))?.time;
  const days = time && pastDays(time, setting);
  if (days === undefined) throw invalid(unknownTime(typed));
  const date = (day: number) => new Date(day).toISOString().slice(0, 'yyyy-MM-dd'.length);
  return { since: date(days.first), ...(days.last !== undefined && { until: date(days.last) }) };
}

/** A typed time as the wall clock shows it: a day alone where a day or days were typed. */
function wallTimeOf(
  typed: string,
  word: 'since' | 'until',
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  const time = readTime(typed, { nowMs, timeZone, direction: 'past' });
  if (time === undefined) throw invalid(unknownTime(`${word} ${typed}`));
  if (time.kind === 'problem') throw invalid(time.message);
  if (word === 'since' && time.atMs > nowMs) throw invalid(`${say`“${typed}” is still to come.`} ${sinceHint}`);
  const shown = new Date(wallClock(timeZone).shownAt(time.atMs)).toISOString();
  return shown.slice(0, time.isDay ? 'yyyy-MM-dd'.length : 'yyyy-MM-ddTHH:mm'.length);
}

/** A predicate for attempts. Call `resolveSince` first; `since` is on the wall clock of `timeZone`. */
export function fitsFilter(
  { outcome, since, until, person = '' }: ResultsFilter,
  timeZone: string,
): (response: QuizResponse) => boolean {
  const sinceMs = since === undefined ? undefined : momentOf(since, timeZone);
  const untilMs = until === undefined ? undefined : momentOf(until, timeZone) + (isDay(until) ? dayMs : 0);
  const words = plainName(person).split(' ');
  return (response) => {
    if (outcome && !fitsOutcome(response.outcome, outcome)) return false;
    if (sinceMs !== undefined && !(response.date_submitted && response.date_submitted.getTime() >= sinceMs))
      return false;
    if (untilMs !== undefined && !(response.date_submitted && response.date_submitted.getTime() < untilMs))
      return false;
    const name = plainName(respondentName(response));
    return words.every((word) => name.includes(word));
  };
}

/** Without a `Z`, a text with a time of day would be in the zone of the machine. */
function momentOf(time: string, timeZone: string): number {
  return beginningOfDay(time, timeZone) ?? wallClock(timeZone).firstMomentOf(Date.parse(`${time}Z`));
}

const sinceHint = say`After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.`;

const dayMs = 24 * 60 * 60_000;

function unknownTime(typed: string): string {
  return say`I don’t know “${typed}”. Try since 7d, since monday or last week.`;
}

/** Whether a time has to follow. */
function isLimit(token: Token): boolean {
  return isWord(token, 'since') || isWord(token, 'until');
}

function isWord({ kind, text }: Token, word: string): boolean {
  return kind === 'word' && text.toLowerCase() === word;
}

/** Whether `parseFilter` reads every word as a part of the name when the name is typed without quotation marks. */
function isTypedAlone(person: string): boolean {
  const parts = filterParts(person);
  return (
    parts.every((part) => part.kind === 'other' && part.token.kind === 'word' && !isLimit(part.token)) &&
    partsOf(person)
      .map(({ text }) => text)
      .join(' ') === person
  );
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}
