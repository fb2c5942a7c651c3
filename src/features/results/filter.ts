import { plainName } from '../../directory/names.ts';
import { fitsOutcome, outcomeFilters, type OutcomeFilter } from '../../domain/submission-outcome.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { beginningOfDay, isDay, wallClock } from '../../time/wall-clock.ts';
import { longestTime } from '../../operations/dates/time-expression.ts';
import { readTime, timeInWords } from '../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { mentionsInWords, parseMention, partsOf, quote, type Token } from '../../operations/typed-text.ts';

/** Which attempts at a quiz to look at. A property that is missing narrows nothing. */
export interface ResultsFilter {
  outcome?: OutcomeFilter;
  /** The earliest submission, as typed: `7d`, `monday`. After `resolveSince`, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm`. */
  since?: string;
  /** Words of a person’s name, or the name of a group. `fitsFilter` reads them as a person’s name. */
  person?: string;
  /** A mentioned person, as `formatMention` writes it. `fitsFilter` does not know whose attempts are theirs. */
  mention?: string;
}

/**
 * Reads a filter as people type it: `passed`, `failed`, `ungraded`, `since 7d`, words of a name and a mention, in any order.
 * Quoted text is a name.
 * @throws {InvalidInputError}
 */
export function parseFilter(text: string): ResultsFilter {
  const filter: ResultsFilter = {};
  const names: string[] = [];
  for (const part of filterParts(text)) {
    switch (part.kind) {
      case 'outcome':
        if (filter.outcome && filter.outcome !== part.outcome)
          throw invalid(`No attempt is both ${filter.outcome} and ${part.outcome}. Leave one of them out.`);
        filter.outcome = part.outcome;
        break;
      case 'since':
        filter.since = part.time;
        break;
      case 'mention':
        if (filter.mention !== undefined) throw invalid('Name only one person.');
        filter.mention = part.token.text;
        break;
      case 'other':
        if (isWord(part.token, 'since')) throw invalid(sinceHint);
        names.push(part.token.kind === 'mention' ? mentionsInWords(part.token.text) : part.token.text);
    }
  }
  const person = names.filter((name) => name !== '').join(' ');
  return { ...filter, ...(person !== '' && { person }) };
}

/** A part of a typed filter, from `start` to `end` in the text. */
export type FilterPart = { start: number; end: number } & (
  | { kind: 'outcome'; outcome: OutcomeFilter }
  | { kind: 'since'; time: string }
  | { kind: 'mention'; token: Token }
  | { kind: 'other'; token: Token }
);

/** Tells the words of a filter from those that can belong to a name. */
export function filterParts(text: string): FilterPart[] {
  const parts: FilterPart[] = [];
  const tokens = partsOf(text);
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]!;
    const { start, end } = token;
    const outcome = outcomeFilters.find((known) => isWord(token, known));
    const time = isWord(token, 'since') ? timeAfter(tokens, at) : undefined;
    const last = tokens[at + (time?.length ?? 0)] ?? token;
    if (outcome) parts.push({ kind: 'outcome', outcome, start, end });
    else if (time) parts.push({ kind: 'since', time: time.text, start, end: last.end });
    else if (token.kind === 'mention' && parseMention(token.text)?.kind === 'person')
      parts.push({ kind: 'mention', token, start, end });
    else parts.push({ kind: 'other', token, start, end });
    at += 1 + (time?.length ?? 0);
  }
  return parts;
}

function timeAfter(tokens: readonly Token[], at: number): { text: string; length: number } | undefined {
  const following = tokens.slice(at + 1, at + 10);
  const end = following.findIndex(({ kind }) => kind !== 'word');
  const words = (end === -1 ? following : following.slice(0, end)).map(({ text }) => text);
  const longest = longestTime(words);
  return longest && { text: words.slice(0, longest.length).join(' '), length: longest.length };
}

/** Writes a filter so that `parseFilter` reads the same. */
export function formatFilter({ outcome, since, person, mention }: ResultsFilter): string {
  return [
    outcome,
    since && `since ${since}`,
    person && (isTypedAlone(person) ? person : quote(person, ['“', '”'])),
    mention,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** A filter for people to read: `failed, since Sun 15 Nov, @rosa`. Call `resolveSince` first. */
export function filterInWords(
  { outcome, since, person, mention }: ResultsFilter,
  { nowMs }: { nowMs: number },
): string {
  // The text is a time of the wall clock, so every zone gives the same words.
  const sinceMs = since === undefined ? undefined : sinceMoment(since, 'UTC');
  const day =
    sinceMs === undefined
      ? undefined
      : `since ${timeInWords(sinceMs, { nowMs, timeZone: 'UTC', isDay: isDay(since ?? '') })}`;
  return [outcome, day, person, mention && mentionsInWords(mention)].filter((part) => part !== undefined).join(', ');
}

/**
 * The same filter with `since` as a time of the wall clock: what is typed in days begins with the day.
 * @param setting.timeZone that of the person who typed it
 * @throws {InvalidInputError}
 */
export function resolveSince(
  filter: ResultsFilter,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): ResultsFilter {
  if (filter.since === undefined) return filter;
  const time = readTime(filter.since, { nowMs, timeZone, direction: 'past' });
  if (time === undefined) throw invalid(sinceHint);
  if (time.kind === 'problem') throw invalid(time.message);
  if (time.atMs > nowMs) throw invalid(`“${filter.since}” is still to come. ${sinceHint}`);
  const shown = new Date(wallClock(timeZone).shownAt(time.atMs)).toISOString();
  return { ...filter, since: shown.slice(0, time.isDay ? 'yyyy-MM-dd'.length : 'yyyy-MM-ddTHH:mm'.length) };
}

/** A predicate for attempts. Call `resolveSince` first; `since` is on the wall clock of `timeZone`. */
export function fitsFilter(
  { outcome, since, person = '' }: ResultsFilter,
  timeZone: string,
): (response: QuizResponse) => boolean {
  const sinceMs = since === undefined ? undefined : sinceMoment(since, timeZone);
  const words = plainName(person).split(' ');
  return (response) => {
    if (outcome && !fitsOutcome(response.outcome, outcome)) return false;
    if (sinceMs !== undefined && !(response.date_submitted && response.date_submitted.getTime() >= sinceMs))
      return false;
    const name = plainName(respondentName(response));
    return words.every((word) => name.includes(word));
  };
}

/** Without a `Z`, a text with a time of day would be in the zone of the machine. */
function sinceMoment(since: string, timeZone: string): number {
  return beginningOfDay(since, timeZone) ?? wallClock(timeZone).firstMomentOf(Date.parse(`${since}Z`));
}

const sinceHint = 'After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.';

const keywords = new Set<string>([...outcomeFilters, 'since']);

function isWord({ kind, text }: Token, word: string): boolean {
  return kind === 'word' && text.toLowerCase() === word;
}

/** Whether `parseFilter` reads every word as a part of the name when the name is typed without quotation marks. */
function isTypedAlone(person: string): boolean {
  return (
    partsOf(person).every(({ kind, text }) => kind === 'word' && !keywords.has(text.toLowerCase())) &&
    partsOf(person)
      .map(({ text }) => text)
      .join(' ') === person
  );
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}
