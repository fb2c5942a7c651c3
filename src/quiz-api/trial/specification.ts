/** What a field holds, as section 2 of the specification writes it. A list of texts: one of these. */
export type Form =
  | 'id'
  | 'text'
  | 'text or null'
  | 'date'
  | 'number'
  | 'whole number'
  | 'percentage'
  | 'flag'
  | readonly string[]
  /** Items of an unknown shape have none. */
  | { itemsOf: Shape | undefined };

export type Shape = { readonly [field: string]: Form };

const result: Shape = {
  date_submitted: 'date',
  points: 'number',
  available_points: 'number',
  percentage_score: 'percentage',
  grade: 'text',
  pass: 'flag',
  duration: 'whole number',
  attempt: 'whole number',
  status: ['not_started', 'not_submitted', 'submitted'],
};

/** Section 2.1. */
export const quizShape: Shape = {
  quiz_id: 'id',
  name: 'text',
  status: ['in_design', 'open', 'closed'],
  date_created: 'date',
};

/** Section 2.2. */
export const responseShape: Shape = {
  response_id: 'id',
  quiz_id: 'id',
  quiz_name: 'text',
  first_name: 'text',
  last_name: 'text',
  email_address: 'text',
  user_id: 'text or null',
  user_name: 'text or null',
  ...result,
  ip_address: 'text',
  publish_type: ['quiz_link', 'assigned_user'],
  access_code: 'text',
  certificate_url: 'text',
  response_report_url: 'text',
  registration_fields: { itemsOf: { name: 'text', value: 'text' } },
};

/** Section 2.3. The values of `type` are not shown there. */
export const questionShape: Shape = {
  question_id: 'id',
  type: 'text',
  version: 'whole number',
  text: 'text',
  use_option_points: 'flag',
  points_scored: 'number',
  points_available: 'number',
  options: {
    itemsOf: {
      option_id: 'id',
      version: 'whole number',
      text: 'text',
      correct: 'flag',
      answer: 'text',
      selected: 'flag',
      option_points_available: 'number',
    },
  },
  categories: { itemsOf: { category_id: 'id', name: 'text' } },
  files: { itemsOf: { file_id: 'id', name: 'text' } },
};

/** An item of a user’s `quizzes`, and of the list of a user’s assigned quizzes. */
export const assignedQuizShape: Shape = { quiz_id: 'id', name: 'text', date_assigned: 'date' };

/** Section 2.4. The items of groups, trainerquizzes and trainergroups are not shown there. */
export const userShape: Shape = {
  user_id: 'id',
  user_name: 'text',
  user_type: ['respondent', 'trainer', 'administrator'],
  email_address: 'text',
  first_name: 'text',
  last_name: 'text',
  organization: 'text',
  notes: 'text',
  time_zone: 'text',
  suspended: 'flag',
  manage_users: 'flag',
  manage_groups: 'flag',
  edit_quizzes: 'flag',
  quizzes: { itemsOf: assignedQuizShape },
  groups: { itemsOf: undefined },
  trainerquizzes: { itemsOf: undefined },
  trainergroups: { itemsOf: undefined },
  date_created: 'date',
};

/** A user as the single-user call returns it. */
export const singleUserShape: Shape = {
  ...userShape,
  quizzes: { itemsOf: { ...assignedQuizShape, response_id: 'text', ...result } },
};

/** Section 2.5. */
export const groupShape: Shape = { group_id: 'id', group_name: 'text' };
