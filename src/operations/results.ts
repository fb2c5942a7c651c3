import { setImmediate as nextTurn } from 'node:timers/promises';
import { named, plainSentence } from '../domain/sentence.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import { isSubmitted, type QuizResponse } from '../quiz-api/responses.ts';
import type { OperationContext } from './context.ts';
import { fileName } from './file-name.ts';
import { zoneOf } from './dates/person-zone.ts';
import { defineOperation } from './operation.ts';
import type { OperationResult } from './operation-result.ts';
import { attemptsOfMentioned } from './results/attempt.ts';
import { exportFile } from './results/export.ts';
import { chosenFilter, filterFields, filterWords, spreadFilter, type ChosenFilter } from './results/filter-fields.ts';
import { fitsFilter, parseFilter, resolveSince } from './results/filter.ts';
import { membersOf, resolveName } from './results/named-in-filter.ts';
import { withoutPersonalData } from './results/personal-data.ts';
import { isAttemptOf } from './results/respondents.ts';
import { filterInSlices } from './results/slices.ts';
import { scoredPercentages, statisticsOf } from './results/statistics.ts';
import { parseResultsLine } from './results/typed-line.ts';

/** The newest attempts of a result. A message has room for no more. */
const shownAtMost = 100;

/** What reads the responses to a quiz through a filter has in common. */
const ofResults = {
  access: 'read',
  right: 'edit_quizzes',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, ...filterFields },
  parse: parseResultsLine,
  spread: spreadFilter,
  check: checkFilter,
} as const;

export const showResults = defineOperation({
  name: 'show-results',
  command: '/quiz results <quiz> [filter]',
  summary: 'Show how a quiz went. Filter in any order: failed, since 7d, a person, a group',
  submit: 'Show',
  ...ofResults,
  async run(context, { quiz, ...input }) {
    return withResponses(context, quiz, chosenFilter(input), async ({ chosen, responses }) => {
      const only = filterWords(chosen, context.now());
      const submitted = responses.filter(isSubmitted);
      await nextTurn();
      const statistics = statisticsOf(responses);
      await nextTurn();
      const percentages = scoredPercentages(submitted);
      const newest = newestOf(submitted, shownAtMost).map(withoutPersonalData);
      await nextTurn();
      return { kind: 'results', quiz, ...chosen, only, statistics, percentages, submitted: newest };
    });
  },
});

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> [filter]',
  summary: 'Get the responses to a quiz as a CSV file, in a direct message',
  submit: 'Send',
  ...ofResults,
  async run(context, { quiz, ...input }) {
    return withResponses(context, quiz, chosenFilter(input), async ({ chosen, responses }) => {
      const only = filterWords(chosen, context.now());
      const what = `${responses.length.toLocaleString('en')} ${responses.length === 1 ? 'response' : 'responses'} to ${named(quiz.name)}${only && `, only ${only}`}`;
      await context.sendFile({
        name: `${fileName(quiz.name)} results.csv`,
        comment: plainSentence(what),
        content: await exportFile(responses, { withPersonalData: context.visibility.addressesIn(quiz) }),
      });
      return { kind: 'done', message: `Sent you ${what}. The CSV file is in your direct messages.` };
    });
  },
});

/** Before the service is asked for anything. */
function checkFilter({ filter = '' }: { filter: string | undefined }): void {
  parseFilter(filter);
}

/** Uses what fits a filter, and the filter as it was understood. */
async function withResponses(
  context: OperationContext,
  quiz: Quiz,
  { filter: typed, user, group }: ChosenFilter,
  use: (found: { chosen: ChosenFilter; responses: QuizResponse[] }) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { api, call } = context;
  const timeZone = zoneOf(context);
  const filter = resolveSince(typed, { nowMs: context.now(), timeZone });
  const ofPeople = [
    ...(filter.mention === undefined ? [] : [await attemptsOfMentioned(context, filter.mention, 'filter')]),
    ...(user ? [isAttemptOf(user)] : []),
    ...(group ? [isAttemptOf(...(await membersOf(context, group)))] : []),
  ];
  return api.responses.using(quiz.quiz_id, call, async (all) => {
    const byName = await resolveName(context, quiz, filter, all);
    const fits = [fitsFilter({ ...filter, person: '' }, timeZone), byName.fits, ...ofPeople];
    return use({
      chosen: { filter: byName.filter, user, group },
      responses: await filterInSlices(all, (response) => fits.every((fit) => fit(response))),
    });
  });
}

/** The newest of the responses, the newest first. Sorting all of them would hold up the bot at 50,000. */
function newestOf<Response extends QuizResponse>(responses: readonly Response[], count: number): Response[] {
  const oldestMs = Float64Array.from(responses, submittedMs).toSorted().at(-count) ?? -Infinity;
  return responses
    .filter((response) => submittedMs(response) >= oldestMs)
    .toSorted((a, b) => submittedMs(b) - submittedMs(a))
    .slice(0, count);
}

function submittedMs({ date_submitted }: QuizResponse): number {
  return date_submitted?.getTime() ?? 0;
}
