import { zoneOf } from '../../operations/dates/time-of-day.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSubmitted } from '../../quiz-api/responses.ts';
import { defineOperation } from '../../operations/operation.ts';
import { filterWords } from './filter.ts';
import { withoutPersonalData } from './personal-data.ts';
import { scoredPercentages, statisticsOf, overTimeOf } from './statistics.ts';
import { ofResults, withResponses } from './filtered-responses.ts';
import { newestOf } from './all-results.ts';
import { resultsPage } from './pages.ts';

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
