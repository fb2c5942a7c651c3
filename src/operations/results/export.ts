import type { Outcome } from '../../domain/outcome.ts';
import type { Result } from '../../domain/result.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { withoutPersonalColumns } from './personal-data.ts';
import { resultOf } from './result-of.ts';

interface Column {
  title: string;
  /** Only for people who may know how to reach respondents and where they were, and read their documents. */
  isPersonal?: true;
  of: (response: QuizResponse) => string | number;
}

const outcomeWords = { passed: 'yes', failed: 'no', 'not graded': 'not graded', unmarked: 'waiting to be marked' } as const satisfies Record<Outcome, string>;

/** Empty for what is not known, and for responses that are not submitted: the results that the service sends with them mean nothing. */
const inResult = (of: (result: Result) => string | number | null): Column['of'] => (response) => {
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

/** Responses as a table with a header row; each registration field that occurs has a column of its own. */
export function exportTable(all: readonly QuizResponse[], { withPersonalData }: { withPersonalData: boolean }): (string | number)[][] {
  const responses = withPersonalData ? all : withoutPersonalColumns(all);
  const own = columns.filter(({ isPersonal }) => withPersonalData || !isPersonal);
  const registrationFields = [...new Set(responses.flatMap(({ registration_fields }) => registration_fields.map(({ name }) => name)))];
  return [
    [...own.map(({ title }) => title), ...registrationFields],
    ...responses.map((response) => [
      ...own.map(({ of }) => of(response)),
      ...registrationFields.map((name) => response.registration_fields.find((field) => field.name === name)?.value ?? ''),
    ]),
  ];
}
