import { say } from '../../domain/said.ts';
import { namedUser, publicName } from '../../directory/names.ts';
import { outcomeFilters } from '../../domain/submission-outcome.ts';
import { named } from '../../domain/sentence.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { isDay } from '../../time/wall-clock.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { filterInWords, formatFilter, parseFilter, type ResultsFilter } from './filter.ts';

/** A filter as people type it, and its parts as a form has them. */
export const filterFields = {
  filter: { kind: 'text', label: 'Filter', maxLength: 250, optional: true, isParsed: true, typedOnly: true },
  outcome: {
    kind: 'choice',
    label: 'Result',
    optional: true,
    usual: 'all',
    options: [
      { value: 'all', label: 'All results' },
      { value: 'passed', label: 'Passed' },
      { value: 'failed', label: 'Failed' },
      { value: 'ungraded', label: 'Not graded or not marked yet' },
    ],
  },
  since: { kind: 'day', label: 'Submitted since', optional: true },
  user: { kind: 'user', label: 'Person', byName: true, optional: true },
  person: {
    kind: 'text',
    label: 'Or part of a name',
    hint: 'Finds people without a user in the quiz account too.',
    maxLength: 250,
    optional: true,
  },
  group: { kind: 'group', label: 'Group', byName: true, optional: true },
} as const satisfies Fields;

/** The inputs of these fields. */
interface FilterInput {
  filter: string | undefined;
  outcome: string | undefined;
  since: string | undefined;
  user: User | undefined;
  person: string | undefined;
  group: Group | undefined;
}

/** A filter, and the user and the group whose attempts it lets through. */
export interface ChosenFilter {
  filter: ResultsFilter;
  user?: User | undefined;
  group?: Group | undefined;
}

/**
 * The filter that was typed, with what was chosen in the form in place of what was typed.
 * @throws {InvalidInputError}
 */
export function chosenFilter({ filter: typed = '', outcome, since, user, person, group }: FilterInput): ChosenFilter {
  const chosen = outcomeFilters.find((known) => known === outcome);
  return {
    filter: {
      ...parseFilter(typed),
      ...(chosen && { outcome: chosen }),
      ...(since && { since }),
      ...(person && { person }),
    },
    user,
    group,
  };
}

/**
 * The parts of a typed filter as inputs of the form.
 * @throws {InvalidInputError}
 */
export function spreadFilter({ filter: [typed = ''] = [], ...given }: TextInput): TextInput {
  const { outcome, since, person, mention, ...others } = parseFilter(typed);
  const day = since?.slice(0, 'yyyy-MM-dd'.length);
  const isShown = day !== undefined && isDay(day);
  // What depends on the clock has no input.
  const rest = formatFilter({ ...others, ...(!isShown && since !== undefined && { since }) });
  return {
    ...(outcome && { outcome: [outcome] }),
    ...(isShown && { since: [day] }),
    ...(rest !== '' && { filter: [rest] }),
    ...(person && { person: [person] }),
    ...(mention && { user: [mention] }),
    ...given,
  };
}

/** The filter as people read it, such as “passed, since 1 Nov, ⁨Rosa Almeida⁩, in ⁨Kitchen⁩”; empty for none. `nowMs` tells which years are worth saying. */
export function filterWords({ filter, user, group }: ChosenFilter, nowMs: number): string {
  const { outcome, person, mention, ...rest } = filter;
  return [
    filterInWords({ ...rest, ...(outcome && { outcome }) }, { nowMs }),
    person ? named(person) : '',
    mention ? mentionsInWords(mention) : '',
    user ? namedUser(user, publicName) : '',
    group ? say`in ${named(group.group_name)}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
