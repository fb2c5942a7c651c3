import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineOperation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/text-input.ts';
import { isSubmitted } from '../../../quiz-api/responses.ts';
import { filterWords } from '../../results/filter.ts';
import { ofResults, withResponses } from '../../results/filtered-responses.ts';
import { showAttempt } from '../../results/show-attempt.ts';
import { createTally } from './analysis.ts';
import { questionsPage } from './questions-page.ts';

/** Counted in a few milliseconds, also with 200 questions each. */
const countedAtOnce = 200;

export const showQuestions = defineOperation({
  name: 'show-questions',
  command: '/quiz questions <quiz> [filter]',
  synonyms: ['mistakes'],
  summary: 'Show which questions people get wrong, the hardest first; filter as for results',
  hintForAgents: 'The answers are read in the background: where some are still missing, call it again later.',
  submit: 'Show',
  ...ofResults,
  fields: {
    ...ofResults.fields,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(context, { quiz, page, ...input }) {
    return withResponses(context, quiz, input, async ({ filter, responses, all }) => {
      const { questions, counted, answers } = await context.answers.of(quiz.quiz_id, all);
      const fitting = responses.filter((response) => isSubmitted(response) && counted.has(response.response_id));
      const read = fitting.flatMap(({ response_id: id }) => answers.get(id) ?? []);
      const tally = createTally(questions);
      for (const [index, one] of read.entries()) {
        if (index % countedAtOnce === 0) await nextTurn();
        tally.add(one);
      }
      const numbers = {
        quiz,
        filter,
        only: filterWords(filter, context.now()),
        analysis: tally.analysis(),
        read: read.length,
        attempts: fitting.length,
        unread: counted.size - answers.size,
        showsRight: context.offered().has(showAttempt.name),
        page: readPage(page),
      };
      return { kind: 'page', ...questionsPage(numbers) };
    });
  },
});
