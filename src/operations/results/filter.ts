import { plainName } from '../../directory/names.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { beginningOfDay, isDay } from '../../time/wall-clock.ts';
import { InvalidInputError } from '../operation.ts';

/** Which attempts of a quiz are looked at. What is missing narrows nothing. */
export interface ResultsFilter {
  outcome?: 'passed' | 'failed';
  /** The first day on which an attempt may have been submitted, as yyyy-MM-dd. */
  since?: string;
  /** Words of a person's name. */
  person?: string;
}

const outcomes: Readonly<Record<string, ResultsFilter['outcome']>> = { passed: 'passed', failed: 'failed' };
const quoted = /^["“”„«»]([^"“”„«»]*)["“”„«»]$/u;
const token = /["“”„«»][^"“”„«»]*["“”„«»]|[^\s"“”„«»]+/gu;

/**
 * Reads a filter as people type it: `passed`, `failed`, `since 2026-11-01`, and words of a name, in any order.
 * What stands in quotes is a name.
 * @throws {InvalidInputError}
 */
export function parseFilter(text: string): ResultsFilter {
  const filter: ResultsFilter = {};
  const names: string[] = [];
  const tokens = (text.match(token) ?? []).values();
  for (const word of tokens) {
    const outcome = outcomes[word.toLowerCase()];
    if (outcome !== undefined) {
      if (filter.outcome && filter.outcome !== outcome) throw invalid('No attempt is both passed and failed: leave one of them out.');
      filter.outcome = outcome;
    } else if (word.toLowerCase() === 'since') {
      filter.since = readDay(tokens.next().value);
    } else {
      names.push(quoted.exec(word)?.[1]?.trim() ?? word);
    }
  }
  const person = names.filter((name) => name !== '').join(' ');
  return { ...filter, ...(person !== '' && { person }) };
}

/** Writes a filter so that `parseFilter` reads the same. */
export function formatFilter({ outcome, since, person }: ResultsFilter): string {
  return [outcome, since && `since ${since}`, person && nameWord(person)].filter((part) => part !== undefined).join(' ');
}

/** Tells which attempts are looked at. A day begins at midnight in `timeZone`. */
export function fitsFilter({ outcome, since, person = '' }: ResultsFilter, timeZone: string): (response: QuizResponse) => boolean {
  const sinceMs = since === undefined ? undefined : beginningOfDay(since, timeZone);
  const words = plainName(person).split(' ');
  return ({ status, pass, date_submitted, first_name, last_name }) => {
    if (outcome && (status !== 'submitted' || pass !== (outcome === 'passed'))) return false;
    if (sinceMs !== undefined && !(date_submitted && date_submitted.getTime() >= sinceMs)) return false;
    const name = plainName(`${first_name} ${last_name}`);
    return words.every((word) => name.includes(word));
  };
}

function readDay(word = ''): string {
  if (isDay(word)) return word;
  throw invalid('After “since” comes a day, such as since 2026-11-01.');
}

function nameWord(person: string): string {
  const isPlain = person.split(/\s+/).every((word) => outcomes[word.toLowerCase()] === undefined && word.toLowerCase() !== 'since');
  return isPlain ? person : `“${person}”`;
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}
