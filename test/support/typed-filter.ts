import { filterFields, filterFillers, filterOfParts } from '../../src/features/results/filter.ts';
import { filterParts } from '../../src/operations/clauses/filter-line.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { InvalidInputError } from '../../src/operations/errors.ts';
import { periodKind, type Period } from '../../src/operations/fields/period.ts';

interface TypedFilter {
  outcome?: string;
  period?: Period;
  person?: string;
  user?: string;
}

/** A period as a person in a zone types it. @throws {InvalidInputError} */
export function readPeriod(texts: readonly string[], { nowMs, timeZone }: { nowMs: number; timeZone: string }): Period {
  const context = { now: () => nowMs, timeZone, actor: {} } as OperationContext;
  const read = periodKind.resolve(texts, { kind: 'period', label: '' }, context);
  if ('kind' in read && read.kind === 'value') return read.value;
  throw new InvalidInputError('period', 'message' in read ? read.message : '');
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
