import { type CommandLine, parseCommandLine as parse } from '../../src/operations/line/line.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readMarkup } from '../../src/slack/in/delivery.ts';
import { filterFields, filterFillers, filterOfParts } from '../../src/features/results/filter.ts';
import { filterParts } from '../../src/operations/clauses/filter-line.ts';
import { readPeriod, type Period } from '../../src/operations/fields/period.ts';

/** Reads what was typed after a slash command, as Slack delivers it. */
export const parseCommandLine = (operations: readonly Operation[], command: string, text: string): CommandLine =>
  parse(operations, command, text, readMarkup);

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
