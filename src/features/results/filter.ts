import type { OperationResult } from '../../operations/page.ts';
import { zoneOf } from '../../operations/dates/typed-time.ts';
import type { Quiz, Group, User } from '../../quiz-api/records.ts';
import { respondentName } from '../../domain/record-names.ts';
import { say, named, writtenNumber } from '../../domain/said.ts';
import { namedUser, plainName, publicName } from '../../directory/names.ts';
import { fitsOutcome, isGraded, outcomeFilters, type OutcomeFilter } from '../../domain/submission-outcome.ts';
import { percentageIn, valuesIn, type FilterPart, filterParts } from '../../operations/clauses/filter-line.ts';
import type { Fields, Input } from '../../operations/fields/fields.ts';
import { momentsOf, periodKind, periodWords, strayPeriod } from '../../operations/fields/period.ts';
import { given, InvalidInputError, type TextInput, unclear, UnclearInputError } from '../../operations/text-input.ts';
import { inWords } from '../../operations/typed-text.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { isAttemptOf } from './respondents.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Match } from '../../directory/name-index.ts';
import { choosable, isOneself, nameFor } from '../../operations/fields/user.ts';

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
  below: {
    kind: 'text',
    label: 'Below a percentage',
    hint: 'For example 60',
    maxLength: 10,
    optional: true,
    clause: {
      words: ['below', 'under', 'less than'],
      example: 'below 60',
      takes: (text) => /^\d+(?:[.,]\d+)?%?$/.test(text),
    },
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
export const filterFillers: readonly string[] = ['only', '%', 'percent'];

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
  const { below, period, user, person, group } = filter;
  const outcome = outcomeIn(filter);
  return given({
    outcome,
    below,
    period: period && periodKind.identify(period),
    user: user?.user_id,
    person,
    group: group?.group_id,
  });
}

/** The filter as people read it, such as “passed, since 1 Nov, ⁨Rosa Almeida⁩, in ⁨Kitchen⁩”; empty for none. `nowMs` tells which years are worth saying. */
export function filterWords(filter: ResultsFilter, nowMs: number): string {
  const { below = '', period = {}, user, person, group } = filter;
  const outcome = outcomeIn(filter);
  return [
    outcome ? outcomeInWords[outcome] : '',
    below ? say`below ${writtenNumber(`${percentageIn(below)}%`)}` : '',
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
  const { below = '', period = {}, person = '' } = filter;
  const percentage = percentageIn(below);
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
    if (percentage !== undefined && !isBelow(response, percentage)) return false;
    const submittedMs = response.date_submitted?.getTime();
    if (isLimited && !(submittedMs !== undefined && submittedMs >= fromMs && submittedMs < toMs)) return false;
    const name = plainName(respondentName(response));
    return fits.every((isIn) => isIn(name));
  };
}

function isBelow({ outcome, percentage_score: score }: QuizResponse, percentage: number): boolean {
  return isGraded(outcome) && score !== null && score < percentage;
}

/** @throws {InvalidInputError} where the limit of a form or an agent is none */
export function checkFilter({ below }: Pick<ResultsFilter, 'below'>): void {
  if (below !== undefined && percentageIn(below) === undefined)
    throw new InvalidInputError('below', say`I don’t know “below ${below}”. Try below 60.`);
}

/** What the operations that read the responses to a quiz through a filter have in common. */
export const ofResults = {
  check: checkFilter,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, ...filterFields },
  parse: parseResultsLine,
} as const;

/** Uses what fits a filter, and the filter as it was understood. `all`: also what doesn’t fit. */
export async function withResponses(
  context: OperationContext,
  quiz: Quiz,
  filter: ResultsFilter,
  use: (found: {
    filter: ResultsFilter;
    responses: QuizResponse[];
    all: readonly QuizResponse[];
  }) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { api, call } = context;
  const { user, group } = filter;
  const timeZone = zoneOf(context);
  const ofPeople = [
    ...(user ? [await isAttemptOf(context, user)] : []),
    ...(group ? [await isAttemptOf(context, ...(await membersOf(context, group)))] : []),
  ];
  return api.responses.using(quiz.quiz_id, call, async (all) => {
    const byName = await resolveName(context, quiz, filter, all);
    const fits = [fitsFilter({ ...filter, person: undefined }, timeZone), byName.fits, ...ofPeople];
    return use({
      filter: byName.filter,
      all,
      responses: await filterInSlices(all, (response) => fits.every((fit) => fit(response))),
    });
  });
}

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;

/** What people type between a quiz and the people. */
const betweenNames: ReadonlySet<string> = new Set(['for', 'of', 'in', 'by', 'from']);

type Name = Extract<FilterPart, { kind: 'name' }>;

/**
 * Reads `food passed since 7d kitchen` as a quiz and a filter, in every way that is possible, the likeliest first. Only names
 * are in doubt: the more of their words belong to the quiz, the likelier. “for”, “of” or “in” parts the quiz from the rest; before a word of
 * the filter or a quoted text, it surely does. A quoted text at the beginning is the whole name of the quiz.
 */
export function parseResultsLine(line: string): [TextInput, ...TextInput[]] {
  const parts = filterParts(line, filterFields, filterFillers);
  const unread = parts.filter((part) => part.kind === 'name');
  const values = parts.filter((part) => part.kind === 'value');

  const read = (quiz: readonly Name[], rest: readonly Name[]): TextInput => ({
    quiz: [inWords(quiz.map(({ token }) => token))],
    ...filterOfParts([...values, ...rest], line),
  });

  const wordOf = ({ token }: Name) => (token.kind === 'word' ? token.text.toLowerCase() : '');
  const isBetween = (part: Name) => betweenNames.has(wordOf(part)) || meansOneOf(wordOf(part), [...betweenNames]);
  // “Results for food”
  const names = unread.length > 1 && isBetween(unread[0]!) ? unread.slice(1) : unread;
  const isSurely = (part: Name) => {
    const next = parts[parts.indexOf(part) + 1];
    return (
      (wordOf(part) === 'for' || meansOneOf(wordOf(part), ['for'])) &&
      next !== undefined &&
      (next.kind !== 'name' || next.token.kind === 'quoted')
    );
  };
  const fors = [...names.entries()]
    .filter(([index, part]) => index > 0 && isBetween(part))
    .slice(-readingsAtMost)
    .toReversed();
  const { sure = [], perhaps = [] } = Object.groupBy(fors, ([, part]) => (isSurely(part) ? 'sure' : 'perhaps'));
  const readAt = ([index]: [number, Name]) => read(names.slice(0, index), names.slice(index + 1));
  const longest = names[0]?.token.kind === 'quoted' ? 1 : names.length;
  const ends = Array.from({ length: Math.min(longest, readingsAtMost) }, (_, index) => longest - index);
  const [likeliest, ...others] = [
    ...sure.map(readAt),
    ...ends.slice(0, 1).map((end) => read(names.slice(0, end), names.slice(end))),
    ...perhaps.map(readAt),
    ...ends.slice(1).map((end) => read(names.slice(0, end), names.slice(end))),
  ];
  return [likeliest ?? read([], []), ...others.slice(0, readingsAtMost - 1)];
}

/** Work on this many responses takes a few milliseconds. */
const itemsInSlice = 1_000;

/** The items in slices, between which other work has a turn: a quiz may have 50,000 responses. */
export async function* slicesOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += itemsInSlice) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + itemsInSlice);
  }
}

/** Like `filter`, in slices. */
export async function filterInSlices<Item>(items: readonly Item[], fits: (item: Item) => boolean): Promise<Item[]> {
  const found: Item[] = [];
  for await (const slice of slicesOf(items)) found.push(...slice.filter(fits));
  return found;
}

/** The user of a person who means themselves by a name in a filter. @throws {InvalidInputError} where they have none */
export async function ownUser(context: OperationContext, person: string | undefined): Promise<User | undefined> {
  if (person === undefined || !(await isOneself(person, context))) return undefined;
  if (context.actor.user === undefined)
    throw new InvalidInputError('person', say`You have no user in the quiz account.`);
  return context.actor.user;
}

/** “By group”, in the languages of the bot: which one is asked. */
const anyGroup =
  /^(?:(?:by|per|each|every|nach|je|pro|par|por|na|wedlug) )?(?:groups?|gruppen?|groupes?|grupos?|groep(?:en)?|grup(?:a|y|ach|ie)?)$/;
/** An answer offers no more. */
const groupsAtMost = 25;

/**
 * Finds out whether the name in a filter is a group’s or a person’s: a group’s if it is its whole name, else that of a
 * person who took the quiz or has a user, else a part of a group’s name. Of a group, those members count whom the reader may
 * choose by name.
 *
 * @returns the filter with the name that is meant, and a predicate for what it narrows by name
 * @throws {UnclearInputError} with the nearest names of users and groups
 */
async function resolveName(
  context: OperationContext,
  quiz: Quiz,
  filter: ResultsFilter,
  responses: readonly QuizResponse[],
): Promise<{ filter: ResultsFilter; fits: (response: QuizResponse) => boolean }> {
  const { person } = filter;
  if (person === undefined) return { filter, fits: () => true };
  const { directory, visibility, call, timeZone } = context;
  const own = await ownUser(context, person);
  if (own) return { filter: { ...filter, person: publicName(own) }, fits: await isAttemptOf(context, own) };
  const [users, groups] = await Promise.all([directory.users.names(call), directory.groups.names(call)]);
  const accepts = { users: choosable(visibility), groups: visibility.groupByName };

  const exactly = groups.named(person).find(accepts.groups);
  if (exactly) return ofGroup(exactly);
  const byPerson = fitsFilter({ person }, timeZone);
  if (responses.some(byPerson)) return { filter, fits: byPerson };
  const matchingUsers = users.match(person, { accepts: accepts.users });
  if (matchingUsers.kind !== 'none') return { filter, fits: byPerson };
  const asked = anyGroup.test(plainName(person))
    ? groups.search('', { limit: groupsAtMost, accepts: accepts.groups })
    : [];
  const matchingGroups: Match<Group> =
    asked.length > 0
      ? { kind: 'several', items: asked, count: asked.length }
      : groups.match(person, { accepts: accepts.groups });
  if (matchingGroups.kind === 'one') return ofGroup(matchingGroups.item);

  const choice = (label: string) => ({ label, value: label });
  const ofGroups = (matchingGroups.kind === 'several' ? matchingGroups.items : matchingGroups.nearest).map(
    ({ group_name }) => choice(group_name),
  );
  const ofUsers = matchingUsers.nearest.map((user) => choice(nameFor(user, visibility)));
  const isAlike = matchingGroups.kind === 'several';
  const candidates = isAlike ? ofGroups : [...ofUsers, ...ofGroups];
  const count = isAlike ? matchingGroups.count : candidates.length;
  throw new UnclearInputError('person', {
    ...unclear(person, isAlike ? 'group' : 'user or group', candidates, { count, isAlike }),
    input: { quiz: [quiz.quiz_id], ...filterInput(filter) },
  });

  async function ofGroup(group: Group) {
    return {
      filter: { ...filter, person: group.group_name },
      fits: await isAttemptOf(context, ...(await membersOf(context, group))),
    };
  }
}

/** The members of a group whom the reader may choose by name. */
export async function membersOf({ directory, visibility, call }: OperationContext, group: Group): Promise<User[]> {
  const accepts = choosable(visibility);
  const isMember = ({ groups }: User) => groups.some(({ group_id }) => group_id === group.group_id);
  return (await directory.users.get(call)).filter((user) => isMember(user) && accepts(user) !== false);
}
