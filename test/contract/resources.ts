import { expect } from 'vitest';
import {
  anyDate,
  dateOrNull,
  listOf,
  noLink,
  someOf,
  typedOnly,
  writtenDate,
  writtenDateOrNull,
} from './expectation.ts';

/*
 * The resources of section 2 of the specification, with exactly its fields. A case passes the values it knows; for all
 * other fields, the expectation checks the type.
 */

const anyId: unknown = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
export const anyText: unknown = expect.any(String);
const anyNumber: unknown = expect.any(Number);
export const anyLink: unknown = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\w+\/[\w-]+$/);
const anyFlag: unknown = expect.any(Boolean);
const anyQuizStatus: unknown = expect.stringMatching(/^(in_design|open|closed)$/);
const anyResponseStatus: unknown = expect.stringMatching(/^(not_started|not_submitted|submitted)$/);
const anyUserType: unknown = expect.stringMatching(/^(respondent|trainer|administrator)$/);

function resource<Field extends string>(fields: Record<Field, unknown>) {
  return (known?: Partial<Record<Field, unknown>>): object => ({ ...fields, ...known });
}

/** Section 2.1. */
export const quiz = resource({ quiz_id: anyId, name: anyText, status: anyQuizStatus, date_created: anyDate });

const result = {
  points: anyNumber,
  available_points: anyNumber,
  percentage_score: anyNumber,
  grade: anyText,
  pass: anyFlag,
  duration: anyNumber,
  attempt: anyNumber,
  status: anyResponseStatus,
  outcome: typedOnly(expect.toBeOneOf(['passed', 'failed', 'not graded', 'unmarked', null])),
};

/** The values of a missing result. */
export const noResult = {
  date_submitted: null,
  points: 0,
  available_points: 0,
  percentage_score: 0,
  grade: '',
  pass: false,
  duration: 0,
};

/** Section 2.2. */
export const response = resource({
  response_id: anyId,
  quiz_id: anyId,
  quiz_name: anyText,
  first_name: anyText,
  last_name: anyText,
  email_address: anyText,
  user_id: anyId,
  user_name: anyText,
  date_submitted: anyDate,
  ...result,
  ip_address: anyText,
  publish_type: 'assigned_user',
  access_code: '',
  certificate_url: noLink('not_in_use'),
  response_report_url: noLink('not_in_use'),
  registration_fields: [],
});

/** Any response: by a user or a guest, submitted or not. */
export const anyResponse = (responseId: string) =>
  response({
    response_id: responseId,
    user_id: expect.toBeOneOf([anyId, null]),
    user_name: expect.toBeOneOf([anyText, null]),
    date_submitted: dateOrNull,
    access_code: anyText,
    publish_type: expect.toBeOneOf(['assigned_user', 'quiz_link']),
  });

export const category = resource({ category_id: anyId, name: anyText });

const option = resource({
  option_id: anyId,
  version: anyNumber,
  text: anyText,
  correct: anyFlag,
  answer: anyText,
  selected: anyFlag,
  option_points_available: anyNumber,
});

/** Section 2.3. */
export const question = resource({
  question_id: anyId,
  type: anyText,
  version: anyNumber,
  text: anyText,
  use_option_points: anyFlag,
  points_scored: anyNumber,
  points_available: anyNumber,
  options: someOf(option()),
  categories: [],
  files: [],
});

/** An assigned quiz in a list of users. */
export const assignedQuiz = resource({ quiz_id: anyId, name: anyText, date_assigned: writtenDate });

/** An assigned quiz in a single user, with or without a result. */
export const quizResult = resource({
  quiz_id: anyId,
  name: anyText,
  date_assigned: writtenDate,
  response_id: expect.toBeOneOf([anyId, null]),
  date_submitted: writtenDateOrNull,
  ...result,
});

/** Section 2.5. */
export const group = resource({ group_id: anyId, group_name: anyText });

/** A quiz of a trainer. The specification does not define its fields. */
export const trainerQuiz = resource({ quiz_id: anyId, name: anyText });

/** Section 2.4. */
export const user = resource({
  user_id: anyId,
  user_name: anyText,
  user_type: anyUserType,
  email_address: anyText,
  first_name: anyText,
  last_name: anyText,
  organization: anyText,
  notes: anyText,
  time_zone: anyText,
  suspended: anyFlag,
  manage_users: anyFlag,
  manage_groups: anyFlag,
  edit_quizzes: anyFlag,
  quizzes: listOf(assignedQuiz()),
  groups: listOf(group()),
  trainerquizzes: listOf(trainerQuiz()),
  trainergroups: listOf(group()),
  date_created: writtenDate,
});

/** The id of a new resource. */
export const newId = anyId;
