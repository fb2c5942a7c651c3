import { zoneOf } from '../../operations/dates/typed-time.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSubmitted, submittedMs, type QuizResponse } from '../../quiz-api/responses.ts';
import { defineOperation } from '../../operations/operation.ts';
import {
  filterWords,
  filterFields,
  checkFilter,
  filterFillers,
  filterOfParts,
  fitsFilter,
  type ResultsFilter,
  ofResults,
  withResponses,
  membersOf,
  ownUser,
  filterInSlices,
} from './filter.ts';
import { withoutPersonalData } from './attempt.ts';
import { scoredPercentages, statisticsOf, overTimeOf } from './statistics.ts';
import { resultsPage, allResultsPage, missingPage } from './pages.ts';
import { say } from '../../domain/said.ts';
import { byName } from '../../domain/record-names.ts';
import { publicName } from '../../directory/names.ts';
import type { OperationContext } from '../../operations/context.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { readPage } from '../../operations/text-input.ts';
import { filterParts } from '../../operations/clauses/filter-line.ts';
import { isAttemptOf, progressOf, type Progress } from './respondents.ts';
import { failedFor, isOfOneCaller } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/records.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { hasQuiz, isIn } from '../../directory/quiz-groups.ts';

/** The newest attempts of a result. A message has room for no more. */
const shownAtMost = 100;

export const showResults = defineOperation({
  name: 'show-results',
  command: '/quiz results <quiz> [filter]',
  synonyms: ['result', 'scores', 'score'],
  summary: 'Show how a quiz went. Filter in any order: failed, since 7d, a person, a group',
  isCommon: true,
  buttons: { quiz: [{ label: 'Results', in: ['list', 'page', 'home'], position: 1 }] },
  submit: 'Show',
  ...ofResults,
  async run(context, { quiz, ...input }) {
    return withResponses(context, quiz, input, async ({ filter, responses }) => {
      const only = filterWords(filter, context.now());
      const submitted = responses.filter(isSubmitted);
      await nextTurn();
      const statistics = statisticsOf(responses);
      await nextTurn();
      const percentages = scoredPercentages(submitted);
      const newest = newestOf(submitted, shownAtMost).map(withoutPersonalData);
      await nextTurn();
      const timeZone = zoneOf(context);
      const overTime = overTimeOf(submitted, timeZone);
      await nextTurn();
      const results = { quiz, filter, only, statistics, percentages, overTime, submitted: newest };
      return { kind: 'page', ...resultsPage(results, timeZone), attempts: newest };
    });
  },
});

/** Of each quiz; a message has room for few more. */
const shownOfEach = 20;

export const allResults = defineOperation({
  name: 'all-results',
  command: '/quiz all-results [filter]',
  synonyms: ['results-all', 'all'],
  summary: 'Show the results of all your quizzes: failed, since last week, a person, a group',
  title: say`Results of all quizzes`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Show',
  fields: { ...filterFields, from: { kind: 'text', label: 'From', maxLength: 10, optional: true, typedOnly: true } },
  parse: (line) => [filterOfParts(filterParts(line, filterFields, filterFillers), line)],
  check: checkFilter,
  async run(context, { from: typedFrom, ...input }) {
    const { directory, visibility, call } = context;
    const quizzes = likeliestFirst((await directory.quizzes.get(call)).filter(visibility.quiz));
    const from = readPage(typedFrom) - 1;
    const { filter, fits } = await filterOf(context, input);
    const found: { quiz: (typeof quizzes)[number]; count: number; newest: QuizResponse[] }[] = [];
    const wanted = quizzes.slice(from, from + quizzesAtOnce);
    const read = await readQuizzes(context, wanted, async (quiz, responses) => {
      const fitting = (await filterInSlices(responses, fits)).filter(isSubmitted);
      const newest = newestOf(fitting, shownOfEach).map(withoutPersonalData);
      if (fitting.length > 0) found.push({ quiz, count: fitting.length, newest });
    });
    const results = {
      filter,
      only: filterWords(filter, context.now()),
      found: found.toSorted((a, b) => b.count - a.count),
      read,
      left: Math.max(0, quizzes.length - from - read),
      nextFrom: from + read + 1,
    };
    return { kind: 'page', ...allResultsPage(results, zoneOf(context)) };
  },
});

/** The filter as it is understood, and a predicate for the attempts. A name is a group’s if it is its whole name, else a person’s. */
async function filterOf(
  context: OperationContext,
  filter: ResultsFilter,
): Promise<{ filter: ResultsFilter; fits: (response: QuizResponse) => boolean }> {
  const { directory, visibility, call } = context;
  const { person, user, group } = filter;
  const me = await ownUser(context, person);
  const named = (await directory.groups.names(call)).named(person ?? '').find(visibility.groupByName);
  const ofNamed = me
    ? await isAttemptOf(context, me)
    : named && (await isAttemptOf(context, ...(await membersOf(context, named))));
  const fitting = [
    fitsFilter({ ...filter, person: ofNamed ? undefined : person }, zoneOf(context)),
    ...(ofNamed ? [ofNamed] : []),
    ...(user ? [await isAttemptOf(context, user)] : []),
    ...(group ? [await isAttemptOf(context, ...(await membersOf(context, group)))] : []),
  ];
  return {
    filter: { ...filter, person: named?.group_name ?? (me ? publicName(me) : person) },
    fits: (response) => fitting.every((fit) => fit(response)),
  };
}

/** Half a minute’s requests. A button goes on with the next ones. */
const quizzesAtOnce = 30;

/** A tenth of the requests of a minute. Of more quizzes, what people wait for elsewhere goes first. */
const readAtOnce = 6;

/**
 * Reads the responses to quizzes, one after the other, with a request each: the first ones as what a person waits for, the others in the
 * background, so that they take nothing from people. Quizzes that are deleted meanwhile count as read.
 *
 * @returns how many were read before the time or the requests were used up
 * @throws a `QuizApiError` where the service cannot be asked for the first one
 */
export async function readQuizzes(
  { api, call }: Pick<OperationContext, 'api' | 'call'>,
  quizzes: readonly Quiz[],
  use: (quiz: Quiz, responses: readonly QuizResponse[]) => Promise<void>,
): Promise<number> {
  for (const [index, quiz] of quizzes.entries()) {
    const options = index < readAtOnce ? call : { ...call, priority: 'background' as const };
    try {
      await api.responses.using(quiz.quiz_id, options, async (responses) => use(quiz, responses));
    } catch (error) {
      if (failedFor(error, 'gone')) continue;
      if (index > 0 && isOfOneCaller(error)) return index;
      throw error;
    }
  }
  return quizzes.length;
}

/** Those first that people can take now, and of these the newest. */
export function likeliestFirst(quizzes: readonly Quiz[]): Quiz[] {
  const states = ['open', 'closed', 'in_design'];
  const createdAt = ({ date_created: date }: Quiz) => date?.getTime() ?? 0;
  return quizzes.toSorted((a, b) => states.indexOf(a.status) - states.indexOf(b.status) || createdAt(b) - createdAt(a));
}

/** The newest of the responses, the newest first. Sorting all of them would hold up the bot at 50,000. */
export function newestOf<Response extends QuizResponse>(responses: readonly Response[], count: number): Response[] {
  const oldestMs = Float64Array.from(responses, submittedMs).toSorted().at(-count) ?? -Infinity;
  return responses
    .filter((response) => submittedMs(response) >= oldestMs)
    .toSorted((a, b) => submittedMs(b) - submittedMs(a))
    .slice(0, count);
}

export const showMissing = defineOperation({
  name: 'show-missing',
  command: '/quiz missing <quiz> in [group]',
  synonyms: ['overdue', 'outstanding', 'incomplete'],
  summary: 'List who has not taken or passed a quiz yet',
  hintForAgents: 'Answers who in a group still hasn’t done it, too. “next” has the call that reminds exactly them.',
  title: say`Who hasn’t taken a quiz`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'List people',
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    group: { kind: 'group', label: 'Group', hint: 'Only people in this group', byName: true, optional: true },
  },
  async run(context, { quiz, group }) {
    const { api, directory, visibility, call } = context;
    const [users, groups, responses] = await Promise.all([
      directory.users.fresh(call),
      api.quizzes.groups(quiz.quiz_id, call),
      api.responses.list(quiz.quiz_id, call),
    ]);
    directory.quizGroups.put(quiz.quiz_id, groups);
    const assigned = users.filter(
      (user) =>
        hasQuiz(user, quiz.quiz_id, groups) &&
        (group === undefined || isIn(user, [group])) &&
        visibility.userByName(user),
    );
    const active = assigned.filter(({ suspended }) => !suspended);
    const progress = progressOf(users, responses);
    const campaign = (await visibleCampaigns(context)).find(
      (some) => some.quiz.id === quiz.quiz_id && some.endedAt === null,
    );
    const missing = active
      .filter((user) => missingStates.has(progress.get(user.user_id)))
      .map((user) => ({ name: nameFor(user, visibility), progress: progress.get(user.user_id)! }))
      .toSorted((a, b) => byName(a.name, b.name));
    return {
      kind: 'page',
      ...missingPage({
        campaignId: campaign?.id,
        quiz,
        group,
        assigned: active.length,
        suspended: assigned.length - active.length,
        missing,
      }),
    };
  },
});

/** People who did not pass still have to, as on the board of a campaign. */
const missingStates: ReadonlySet<Progress | undefined> = new Set<Progress>(['not taken', 'begun', 'failed']);
