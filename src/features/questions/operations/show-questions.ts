import { defineOperation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/text-input.ts';
import { isSubmitted } from '../../../quiz-api/responses.ts';
import { filterWords } from '../../results/filter.ts';
import { ofResults, withResponses } from '../../results/filtered-responses.ts';
import { showAttempt } from '../../results/attempt-page.ts';
import { analysisOf } from './analysis.ts';
import { questionsPage } from './questions-page.ts';

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
      const numbers = {
        quiz,
        filter,
        only: filterWords(filter, context.now()),
        analysis: await analysisOf(questions, read),
        read: read.length,
        attempts: fitting.length,
        unread: counted.size - answers.size,
        showsRight: context.offered().has(showAttempt.name),
        page: readPage(page),
      };
      const [hardest] = numbers.analysis.marked;
      const data = {
        attempts: numbers.attempts,
        read: numbers.read,
        ...(hardest && { question: hardest.question.text, right: hardest.right ?? 0, asked: hardest.asked }),
      };
      return { kind: 'page', data, ...questionsPage(numbers) };
    });
  },
});
