import { expect } from 'vitest';
import { anyDate, dateOrNull, listOf, noLink, someOf } from './expectation.ts';

/*
 * The resources of the specification's section 2 with exactly its fields. What a case knows of one
 * is given; of the rest, the type is expected.
 */

const ID: unknown = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
export const TEXT: unknown = expect.any(String);
const NUMBER: unknown = expect.any(Number);
export const LINK: unknown = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\w+\/[\w-]+$/);
const FLAG: unknown = expect.any(Boolean);
const QUIZ_STATUS: unknown = expect.stringMatching(/^(in_design|open|closed)$/);
const RESPONSE_STATUS: unknown = expect.stringMatching(/^(not_started|not_submitted|submitted)$/);
const USER_TYPE: unknown = expect.stringMatching(/^(respondent|trainer|administrator)$/);

function resource<Field extends string>(fields: Record<Field, unknown>) {
  return (known?: Partial<Record<Field, unknown>>): object => ({ ...fields, ...known });
}

/** Section 2.1. */
export const quiz = resource({ quiz_id: ID, name: TEXT, status: QUIZ_STATUS, date_created: anyDate });

const result = {
  points: NUMBER, available_points: NUMBER, percentage_score: NUMBER, grade: TEXT, pass: FLAG, duration: NUMBER,
  attempt: NUMBER, status: RESPONSE_STATUS,
};

/** What stands where there is no result yet. */
export const noResult = {
  date_submitted: null, points: 0, available_points: 0, percentage_score: 0, grade: '', pass: false, duration: 0,
};

/** Section 2.2. */
export const response = resource({
  response_id: ID, quiz_id: ID, quiz_name: TEXT, first_name: TEXT, last_name: TEXT, email_address: TEXT,
  user_id: ID, user_name: TEXT, date_submitted: anyDate, ...result, ip_address: TEXT, publish_type: 'assigned_user',
  access_code: '', certificate_url: noLink('not_in_use'), response_report_url: noLink('not_in_use'),
  registration_fields: [],
});

/** Any of them: by a user or not, submitted or not. */
export const anyResponse = (responseId: string) =>
  response({
    response_id: responseId, user_id: expect.toBeOneOf([ID, null]), user_name: expect.toBeOneOf([TEXT, null]),
    date_submitted: dateOrNull, access_code: TEXT, publish_type: expect.toBeOneOf(['assigned_user', 'quiz_link']),
  });

export const category = resource({ category_id: ID, name: TEXT });

const option = resource({
  option_id: ID, version: NUMBER, text: TEXT, correct: FLAG, answer: TEXT, selected: FLAG, option_points_available: NUMBER,
});

/** Section 2.3. */
export const question = resource({
  question_id: ID, type: TEXT, version: NUMBER, text: TEXT, use_option_points: FLAG, points_scored: NUMBER,
  points_available: NUMBER, options: someOf(option()), categories: [], files: [],
});

/** A quiz assigned to a user, as lists show it. */
export const assignedQuiz = resource({ quiz_id: ID, name: TEXT, date_assigned: anyDate });

/** A quiz assigned to a user, as the single user shows it, with a result or without one yet. */
export const quizResult = resource({
  quiz_id: ID, name: TEXT, date_assigned: anyDate, response_id: expect.toBeOneOf([ID, null]), date_submitted: dateOrNull,
  ...result,
});

/** Section 2.5. */
export const group = resource({ group_id: ID, group_name: TEXT });

/** A quiz in a trainer's care; the specification leaves its shape open. */
export const trainerQuiz = resource({ quiz_id: ID, name: TEXT });

/** Section 2.4. */
export const user = resource({
  user_id: ID, user_name: TEXT, user_type: USER_TYPE, email_address: TEXT, first_name: TEXT, last_name: TEXT,
  organization: TEXT, notes: TEXT, time_zone: TEXT, suspended: FLAG, manage_users: FLAG, manage_groups: FLAG,
  edit_quizzes: FLAG, quizzes: listOf(assignedQuiz()), groups: listOf(group()),
  trainerquizzes: listOf(trainerQuiz()), trainergroups: listOf(group()), date_created: anyDate,
});

/** The id of something new. */
export const newId = ID;
