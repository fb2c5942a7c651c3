import type { SubmissionOutcome } from '../../domain/submission-outcome.ts';
import type { Result } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { say } from '../../domain/said.ts';
import type { FileTable, TableCell, TableColumn } from '../../operations/services/files.ts';
import { isPersonal, withoutPersonalData } from './personal-data.ts';
import { resultOf } from './result-of.ts';
import { slicesOf } from './filtered-responses.ts';

interface Column extends TableColumn {
  /** Only for people who may know how to reach respondents and where they were, and read their documents. */
  isPersonal?: true;
  of: (response: QuizResponse) => string | number | null;
}

const outcomeWords = {
  passed: say`yes`,
  failed: say`no`,
  'not graded': say`not graded`,
  unmarked: say`waiting to be marked`,
} satisfies Record<SubmissionOutcome, string>;

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
  { title: say`Passed`, kind: 'text', of: inResult(({ outcome }) => outcomeWords[outcome]) },
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
