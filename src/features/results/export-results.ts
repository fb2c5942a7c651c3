import { made } from '../../operations/page.ts';
import { countOf, say, named, plainSentence } from '../../domain/said.ts';
import { fileName, csvField, outgoingTable } from '../../operations/table-file.ts';
import { defineOperation } from '../../operations/operation.ts';
import { filterWords, ofResults, withResponses, slicesOf } from './filter.ts';
import { outcomeStates } from '../../operations/wording/result-words.ts';
import type { Result } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { FileTable, TableCell, TableColumn } from '../../operations/services/files.ts';
import { isPersonal, withoutPersonalData } from './attempt.ts';
import { resultOf } from './respondents.ts';

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
      return made(say`Sent you ${what}. The file is in your direct messages.`);
    });
  },
});

interface Column extends TableColumn {
  /** Only for people who may know how to reach respondents and where they were, and read their documents. */
  isPersonal?: true;
  of: (response: QuizResponse) => string | number | null;
}

const passedWords = { ...outcomeStates, passed: say`yes`, failed: say`no` };

/** Empty for what is not known, and for responses that are not submitted: the results that the service sends with them mean nothing. */
const inResult =
  (of: (result: Result) => string | number | null): Column['of'] =>
  (response) => {
    const result = resultOf(response);
    return (result && of(result)) ?? '';
  };

const columns: readonly Column[] = [
  { title: say`Response id`, kind: 'text', of: ({ response_id }) => response_id },
  { title: say`First name`, kind: 'text', of: ({ first_name }) => first_name },
  { title: say`Last name`, kind: 'text', of: ({ last_name }) => last_name },
  { title: say`User name`, kind: 'text', isPersonal: true, of: ({ user_name }) => user_name ?? '' },
  { title: say`E-mail address`, kind: 'text', isPersonal: true, of: ({ email_address }) => email_address },
  { title: say`Status`, kind: 'text', of: ({ status }) => status },
  { title: say`Passed`, kind: 'text', of: inResult(({ outcome }) => passedWords[outcome]) },
  { title: say`Percentage`, kind: 'number', of: inResult(({ percentage }) => percentage) },
  { title: say`Points`, kind: 'number', of: inResult(({ points }) => points) },
  { title: say`Available points`, kind: 'number', of: inResult(({ availablePoints }) => availablePoints) },
  { title: say`Grade`, kind: 'text', of: ({ grade }) => grade },
  { title: say`Attempt`, kind: 'number', of: ({ attempt }) => attempt || null },
  { title: say`Seconds taken`, kind: 'number', of: inResult(({ durationSeconds }) => durationSeconds) },
  { title: say`Submitted`, kind: 'moment', of: ({ date_submitted }) => date_submitted?.getTime() ?? null },
  { title: say`Published as`, kind: 'text', of: ({ publish_type }) => publish_type },
  { title: say`IP address`, kind: 'text', isPersonal: true, of: ({ ip_address }) => ip_address },
  { title: say`Access code`, kind: 'text', isPersonal: true, of: ({ access_code }) => access_code },
  { title: say`Certificate`, kind: 'text', isPersonal: true, of: ({ certificate_url }) => certificate_url ?? '' },
  { title: say`Report`, kind: 'text', isPersonal: true, of: ({ response_report_url }) => response_report_url ?? '' },
];

/**
 * Responses as a table. Each registration field that occurs has a column of its own. Without personal data, a field that is
 * personal in one response is left out of all.
 */
export async function exportTable(
  responses: readonly QuizResponse[],
  { withPersonalData }: { withPersonalData: boolean },
): Promise<FileTable> {
  const own = columns.filter((column) => withPersonalData || !column.isPersonal);
  const names = new Set<string>();
  const personalNames = new Set<string>();
  for await (const slice of slicesOf(responses)) {
    for (const field of slice.flatMap(({ registration_fields }) => registration_fields)) {
      names.add(field.name);
      if (!withPersonalData && isPersonal(field)) personalNames.add(field.name);
    }
  }
  const registrationFields = [...names.difference(personalNames)];
  return {
    columns: [...own, ...registrationFields.map((title) => ({ title, kind: 'text' as const }))],
    parts: rowsOf(),
  };

  async function* rowsOf(): AsyncGenerator<TableCell[][], void> {
    for await (const slice of slicesOf(responses)) {
      yield slice.map((response) => {
        const shown = withPersonalData ? response : withoutPersonalData(response);
        return [
          ...own.map(({ of }) => of(shown)),
          ...registrationFields.map(
            (name) => shown.registration_fields.find((field) => field.name === name)?.value ?? '',
          ),
        ];
      });
    }
  }
}
