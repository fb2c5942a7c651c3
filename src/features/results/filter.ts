import { say, named } from '../../domain/said.ts';
import { namedUser, plainName, publicName } from '../../directory/names.ts';
import { fitsOutcome, outcomeFilters, type OutcomeFilter } from '../../domain/submission-outcome.ts';
import { respondentName } from '../../domain/record-names.ts';
import { valuesIn, type FilterPart } from '../../operations/clauses/filter-line.ts';
import type { Fields, Input } from '../../operations/fields/fields.ts';
import { momentsOf, periodKind, periodWords, strayPeriod } from '../../operations/fields/period.ts';
import { given, type TextInput } from '../../operations/text-input.ts';
import { inWords } from '../../operations/typed-text.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

/** Which attempts at quizzes to look at, as people type it and as a form has it. */
export const filterFields = {
  outcome: {
    kind: 'choice',
    label: 'Result',
    optional: true,
    usual: 'all',
    options: [
      { value: 'all', label: 'All results', formOnly: true },
      { value: 'passed', label: 'Passed', also: ['pass', 'passing'] },
      { value: 'failed', label: 'Failed', also: ['fail', 'failing', 'failures', 'not passed'] },
      {
        value: 'ungraded',
        label: 'Not graded or not marked yet',
        also: ['not graded', 'not marked yet', 'to be marked', 'waiting to be marked'],
      },
    ],
    clause: { words: [], example: 'failed', standsAlone: true },
  },
  period: {
    kind: 'period',
    label: 'Submitted since',
    optional: true,
    clause: { words: [], example: 'since 7d', standsAlone: true },
  },
  user: {
    kind: 'user',
    label: 'Person',
    byName: true,
    optional: true,
    clause: { words: [], example: '@rosa', standsAlone: true },
  },
  person: {
    kind: 'text',
    label: 'Or part of a name',
    hint: 'Finds people without a user in the quiz account too.',
    maxLength: 250,
    optional: true,
  },
  group: { kind: 'group', label: 'Group', byName: true, optional: true },
} as const satisfies Fields;

/** What the words of a filter go with. */
export const filterFillers: readonly string[] = ['only'];

/** A property that is undefined narrows nothing. `person`: words of a name, or a group’s whole name. */
export type ResultsFilter = Partial<Input<typeof filterFields>>;

/**
 * What the parts of a line say. After “since” comes a time: what follows and is none is refused as one, not looked for as a name.
 * @throws {InvalidInputError} where two parts exclude each other
 */
export function filterOfParts(parts: readonly FilterPart[], line: string): TextInput {
  const names = parts.filter(({ kind }) => kind === 'name').map(({ token }) => token);
  const stray = strayPeriod(names);
  const person = inWords(names);
  return {
    ...valuesIn(parts, line, filterFields),
    ...given(stray ? { period: stray } : { person }),
  };
}

/** The outcome that a filter asks for; undefined for every one. */
export function outcomeIn({ outcome }: ResultsFilter): OutcomeFilter | undefined {
  return outcomeFilters.find((known) => known === outcome);
}

/** The filter as the inputs of a button or a form. */
export function filterInput(filter: ResultsFilter): TextInput {
  const { period, user, person, group } = filter;
  const outcome = outcomeIn(filter);
  return given({
    outcome,
    period: period && periodKind.identify(period),
    user: user?.user_id,
    person,
    group: group?.group_id,
  });
}

/** The filter as people read it, such as “passed, since 1 Nov, ⁨Rosa Almeida⁩, in ⁨Kitchen⁩”; empty for none. `nowMs` tells which years are worth saying. */
export function filterWords(filter: ResultsFilter, nowMs: number): string {
  const { period = {}, user, person, group } = filter;
  const outcome = outcomeIn(filter);
  return [
    outcome ? outcomeInWords[outcome] : '',
    ...periodWords(period, nowMs),
    person ? named(person) : '',
    user ? namedUser(user, publicName) : '',
    group ? say`in ${named(group.group_name)}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const outcomeInWords: Readonly<Record<OutcomeFilter, string>> = {
  passed: say`passed`,
  failed: say`failed`,
  ungraded: say`not graded`,
};

/**
 * A predicate for attempts, by what they say of themselves.
 * @param timeZone that of the person who asks
 */
export function fitsFilter(filter: ResultsFilter, timeZone: string): (response: QuizResponse) => boolean {
  const outcome = outcomeIn(filter);
  const { period = {}, person = '' } = filter;
  const { fromMs, toMs } = momentsOf(period, timeZone);
  const isLimited = fromMs !== -Infinity || toMs !== Infinity;
  const fits = plainName(person)
    .split(' ')
    .map((word) => {
      // “Maya G.”
      const [, beginning] = /^(.+)\.$/.exec(word) ?? [];
      return (name: string) => (beginning === undefined ? name.includes(word) : ` ${name}`.includes(` ${beginning}`));
    });
  return (response) => {
    if (outcome && !fitsOutcome(response.outcome, outcome)) return false;
    const submittedMs = response.date_submitted?.getTime();
    if (isLimited && !(submittedMs !== undefined && submittedMs >= fromMs && submittedMs < toMs)) return false;
    const name = plainName(respondentName(response));
    return fits.every((isIn) => isIn(name));
  };
}
