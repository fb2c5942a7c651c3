import { countOf, say } from '../../domain/said.ts';
import { named, plainSentence } from '../../domain/sentence.ts';
import { fileName } from '../../operations/file-name.ts';
import { defineOperation } from '../../operations/operation.ts';
import { exportFile } from './export.ts';
import { chosenFilter, filterWords } from './filter-fields.ts';
import { ofResults, withResponses } from './filtered-responses.ts';

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> [filter]',
  synonyms: ['download', 'csv'],
  summary: 'Get the responses to a quiz as a CSV file, in a direct message',
  submit: 'Send',
  uses: ['sendFile'],
  ...ofResults,
  async run(context, { quiz, ...input }) {
    return withResponses(context, quiz, chosenFilter(input), async ({ chosen, responses }) => {
      const only = filterWords(chosen, context.now());
      const count = countOf(responses.length, 'response', 'responses');
      const what =
        only === ''
          ? say`${count} to the quiz ${named(quiz.name)}`
          : say`${count} to the quiz ${named(quiz.name)}, only ${only}`;
      await context.sendFile({
        name: `${fileName(quiz.name)} results.csv`,
        comment: plainSentence(what),
        content: await exportFile(responses, { withPersonalData: context.visibility.addressesIn(quiz) }),
      });
      return { kind: 'done', message: say`Sent you ${what}. The CSV file is in your direct messages.` };
    });
  },
});
