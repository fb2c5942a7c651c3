import { countOf, say } from '../../domain/said.ts';
import { named, plainSentence } from '../../domain/sentence.ts';
import { fileName, csvField, outgoingTable } from '../../operations/table-file.ts';
import { defineOperation } from '../../operations/operation.ts';
import { exportTable } from './export.ts';
import { filterWords } from './filter.ts';
import { ofResults, withResponses } from './filtered-responses.ts';

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> [filter]',
  synonyms: ['download', 'csv'],
  summary: 'Get the responses to a quiz as an Excel file, in a direct message; csv sends a plain file',
  submit: 'Send',
  ...ofResults,
  fields: { ...ofResults.fields, csv: csvField },
  async run(context, { quiz, csv, ...input }) {
    return withResponses(context, quiz, input, async ({ filter, responses }) => {
      const only = filterWords(filter, context.now());
      const count = countOf(responses.length, 'response', 'responses');
      const what =
        only === ''
          ? say`${count} to the quiz ${named(quiz.name)}`
          : say`${count} to the quiz ${named(quiz.name)}, only ${only}`;
      await context.sendFile({
        name: say`${fileName(quiz.name)} results`,
        comment: plainSentence(what),
        content: outgoingTable(
          context,
          await exportTable(responses, { withPersonalData: context.visibility.addressesIn(quiz) }),
          csv,
        ),
      });
      return { kind: 'done', message: say`Sent you ${what}. The file is in your direct messages.` };
    });
  },
});
