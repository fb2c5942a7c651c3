import type { QuizResponse } from '../../quiz-api/responses.ts';
import { isSubmitted } from './statistics.ts';

interface Column {
  title: string;
  /** Only for people who may know how to reach respondents and where they were. */
  isPersonal?: true;
  of: (response: QuizResponse) => string | number;
}

/** The service also gives results of attempts that are not submitted; they mean nothing. */
const ifSubmitted = (of: Column['of']): Column['of'] => (response) => (isSubmitted(response) ? of(response) : '');

const columns: readonly Column[] = [
  { title: 'Response id', of: ({ response_id }) => response_id },
  { title: 'First name', of: ({ first_name }) => first_name },
  { title: 'Last name', of: ({ last_name }) => last_name },
  { title: 'User name', isPersonal: true, of: ({ user_name }) => user_name ?? '' },
  { title: 'E-mail address', isPersonal: true, of: ({ email_address }) => email_address },
  { title: 'Status', of: ({ status }) => status },
  { title: 'Passed', of: ifSubmitted(({ pass }) => (pass ? 'yes' : 'no')) },
  { title: 'Percentage', of: ifSubmitted(({ percentage_score }) => percentage_score ?? '') },
  { title: 'Points', of: ifSubmitted(({ points }) => points ?? '') },
  { title: 'Available points', of: ifSubmitted(({ available_points }) => available_points ?? '') },
  { title: 'Grade', of: ({ grade }) => grade },
  { title: 'Attempt', of: ({ attempt }) => attempt ?? '' },
  { title: 'Seconds taken', of: ifSubmitted(({ duration }) => duration ?? '') },
  { title: 'Submitted (UTC)', of: ({ date_submitted }) => date_submitted?.toISOString() ?? '' },
  { title: 'Published as', of: ({ publish_type }) => publish_type },
  { title: 'IP address', isPersonal: true, of: ({ ip_address }) => ip_address },
  { title: 'Access code', isPersonal: true, of: ({ access_code }) => access_code },
  { title: 'Certificate', of: ({ certificate_url }) => certificate_url ?? '' },
  { title: 'Report', of: ({ response_report_url }) => response_report_url ?? '' },
];

/** Responses as a table with a header row; each registration field that occurs has a column of its own. */
export function exportTable(responses: readonly QuizResponse[], options: { withPersonalData: boolean }): (string | number)[][] {
  const own = columns.filter(({ isPersonal }) => options.withPersonalData || !isPersonal);
  const registrationFields = [...new Set(responses.flatMap(({ registration_fields }) => registration_fields.map(({ name }) => name)))];
  return [
    [...own.map(({ title }) => title), ...registrationFields],
    ...responses.map((response) => [
      ...own.map(({ of }) => of(response)),
      ...registrationFields.map((name) => response.registration_fields.find((field) => field.name === name)?.value ?? ''),
    ]),
  ];
}
