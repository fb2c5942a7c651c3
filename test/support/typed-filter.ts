import { filterFields, filterFillers, filterOfParts } from '../../src/features/results/filter.ts';
import { filterParts } from '../../src/operations/clauses/filter-line.ts';
import { readPeriod, type Period } from '../../src/operations/fields/period.ts';

interface TypedFilter {
  outcome?: string;
  period?: Period;
  person?: string;
  user?: string;
}

/** The filter of results as people type it. @throws {InvalidInputError} */
export function typedFilter(line: string, setting = { nowMs: 0, timeZone: 'UTC' }): TypedFilter {
  const { outcome, period, person, user } = filterOfParts(filterParts(line, filterFields, filterFillers), line);
  return {
    ...(outcome && { outcome: outcome.join() }),
    ...(period && { period: readPeriod(period, setting) }),
    ...(person && { person: person.join() }),
    ...(user && { user: user.join() }),
  };
}
