import { plainName } from '../../directory/names.ts';
import { fitsOutcome, outcomeFilters, type OutcomeFilter } from '../../domain/outcome.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { beginningOfDay, isDay } from '../../time/wall-clock.ts';
import { InvalidInputError } from '../errors.ts';
import { parseMention, partsOf, quote } from '../typed-text.ts';

/** Which attempts at a quiz to look at. A property that is missing narrows nothing. */
export interface ResultsFilter {
  outcome?: OutcomeFilter;
  /** The first day of submission, as yyyy-MM-dd. */
  since?: string;
  /** Words of a person's name. */
  person?: string;
  /** A mentioned person, as `formatMention` writes it. `fitsFilter` does not know whose attempts are theirs. */
  mention?: string;
}

/**
 * Reads a filter as people type it: `passed`, `failed`, `ungraded`, `since 2026-11-01`, words of a name and a mention,
 * in any order. Quoted text is a name.
 * @throws {InvalidInputError}
 */
export function parseFilter(text: string): ResultsFilter {
  const filter: ResultsFilter = {};
  const names: string[] = [];
  const parts = partsOf(text).values();
  for (const { kind, text: part } of parts) {
    const word = kind === 'word' ? part.toLowerCase() : undefined;
    const outcome = outcomeFilters.find((known) => known === word);
    if (outcome) {
      if (filter.outcome && filter.outcome !== outcome) throw invalid(`No attempt is both ${filter.outcome} and ${outcome}: leave one of them out.`);
      filter.outcome = outcome;
    } else if (word === 'since') {
      filter.since = readDay(parts.next().value?.text);
    } else if (kind === 'mention' && parseMention(part)?.kind === 'person') {
      if (filter.mention !== undefined) throw invalid('Name one person, or leave the others out.');
      filter.mention = part;
    } else {
      names.push(part);
    }
  }
  const person = names.filter((name) => name !== '').join(' ');
  return { ...filter, ...(person !== '' && { person }) };
}

/** Writes a filter so that `parseFilter` reads the same. */
export function formatFilter({ outcome, since, person, mention }: ResultsFilter): string {
  return [outcome, since && `since ${since}`, person && (isTypedAlone(person) ? person : quote(person, ['“', '”'])), mention].filter((part) => part !== undefined).join(' ');
}

/** A predicate for attempts. A day begins at midnight in `timeZone`. */
export function fitsFilter({ outcome, since, person = '' }: ResultsFilter, timeZone: string): (response: QuizResponse) => boolean {
  const sinceMs = since === undefined ? undefined : beginningOfDay(since, timeZone);
  const words = plainName(person).split(' ');
  return (response) => {
    if (outcome && !fitsOutcome(response.outcome, outcome)) return false;
    if (sinceMs !== undefined && !(response.date_submitted && response.date_submitted.getTime() >= sinceMs)) return false;
    const name = plainName(respondentName(response));
    return words.every((word) => name.includes(word));
  };
}

const keywords = new Set<string>([...outcomeFilters, 'since']);

function readDay(word = ''): string {
  if (isDay(word)) return word;
  throw invalid('After “since” comes a day, such as since 2026-11-01.');
}

/** Whether `parseFilter` reads every word as a part of the name when the name is typed without quotation marks. */
function isTypedAlone(person: string): boolean {
  return partsOf(person).every(({ kind, text }) => kind === 'word' && !keywords.has(text.toLowerCase())) && partsOf(person).map(({ text }) => text).join(' ') === person;
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}
