import type { SubmissionOutcome } from '../../domain/submission-outcome.ts';
import type { Result } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { formatCsv, formatRows } from '../../operations/csv.ts';
import { isPersonal, withoutPersonalData } from './personal-data.ts';
import { resultOf } from './result-of.ts';
import { slicesOf } from './slices.ts';

interface Column {
  title: string;
  /** Only for people who may know how to reach respondents and where they were, and read their documents. */
  isPersonal?: true;
  of: (response: QuizResponse) => string | number;
}

const outcomeWords = {
  passed: 'yes',
  failed: 'no',
  'not graded': 'not graded',
  unmarked: 'waiting to be marked',
} as const satisfies Record<SubmissionOutcome, string>;

/** Empty for what is not known, and for responses that are not submitted: the results that the service sends with them mean nothing. */
const inResult =
  (of: (result: Result) => string | number | null): Column['of'] =>
  (response) => {
    const result = resultOf(response);
    return (result && of(result)) ?? '';
  };

const columns: readonly Column[] = [
  { title: 'Response id', of: ({ response_id }) => response_id },
  { title: 'First name', of: ({ first_name }) => first_name },
  { title: 'Last name', of: ({ last_name }) => last_name },
  { title: 'User name', isPersonal: true, of: ({ user_name }) => user_name ?? '' },
  { title: 'E-mail address', isPersonal: true, of: ({ email_address }) => email_address },
  { title: 'Status', of: ({ status }) => status },
  { title: 'Passed', of: inResult(({ outcome }) => outcomeWords[outcome]) },
  { title: 'Percentage', of: inResult(({ percentage }) => percentage) },
  { title: 'Points', of: inResult(({ points }) => points) },
  { title: 'Available points', of: inResult(({ availablePoints }) => availablePoints) },
  { title: 'Grade', of: ({ grade }) => grade },
  { title: 'Attempt', of: ({ attempt }) => attempt || '' },
  { title: 'Seconds taken', of: inResult(({ durationSeconds }) => durationSeconds) },
  { title: 'Submitted (UTC)', of: ({ date_submitted }) => date_submitted?.toISOString() ?? '' },
  { title: 'Published as', of: ({ publish_type }) => publish_type },
  { title: 'IP address', isPersonal: true, of: ({ ip_address }) => ip_address },
  { title: 'Access code', isPersonal: true, of: ({ access_code }) => access_code },
  { title: 'Certificate', isPersonal: true, of: ({ certificate_url }) => certificate_url ?? '' },
  { title: 'Report', isPersonal: true, of: ({ response_report_url }) => response_report_url ?? '' },
];

interface ExportOptions {
  withPersonalData: boolean;
}

/** Responses as a CSV file. It is written in slices: memory never holds the cells of 50,000 responses. */
export async function exportFile(responses: readonly QuizResponse[], options: ExportOptions): Promise<Buffer> {
  const parts = [Buffer.from(formatCsv([]))];
  for await (const rows of exportRows(responses, options)) parts.push(Buffer.from(formatRows(rows)));
  return Buffer.concat(parts);
}

/**
 * Responses as rows of a table, in slices, a header row first. Each registration field that occurs has a column of its own.
 * Without personal data, a field that is personal in one response is left out of all.
 */
export async function* exportRows(
  responses: readonly QuizResponse[],
  { withPersonalData }: ExportOptions,
): AsyncGenerator<(string | number)[][], void> {
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
  yield [[...own.map(({ title }) => title), ...registrationFields]];
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
