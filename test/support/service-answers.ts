/** Responses of the quiz service, as section 2 of its specification shows them. */

export function quizAnswer(overrides: Record<string, unknown> = {}) {
  return { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: '2024-05-06 17:08:09', ...overrides };
}

export function groupAnswer(overrides: Record<string, unknown> = {}) {
  return { group_id: 'g-1', group_name: 'Night shift', ...overrides };
}

export function responseAnswer(overrides: Record<string, unknown> = {}) {
  return {
    response_id: 'r-1',
    quiz_id: 'q-1',
    quiz_name: 'Fire safety',
    first_name: 'Ada',
    last_name: 'Byron',
    email_address: 'ada@example.com',
    user_id: null,
    user_name: null,
    date_submitted: '2024-05-07 23:59:58',
    points: 8,
    available_points: '10.00',
    percentage_score: 80,
    grade: 'B',
    pass: true,
    duration: 312,
    attempt: 1,
    ip_address: '192.0.2.7',
    status: 'submitted',
    publish_type: 'quiz_link',
    access_code: '',
    certificate_url: 'https://quiz.example/certificate/1',
    response_report_url: 'not_in_use',
    registration_fields: [{ name: 'Site', value: 'North' }],
    ...overrides,
  };
}

export function questionAnswer(overrides: Record<string, unknown> = {}) {
  return {
    question_id: 'qu-1',
    type: 'radio_button',
    version: 2,
    text: 'Where is the extinguisher?',
    use_option_points: false,
    points_scored: '1.00',
    points_available: 1,
    options: [
      {
        option_id: 'o-1',
        version: 1,
        text: 'By the door',
        correct: true,
        answer: '',
        selected: true,
        option_points_available: 1,
      },
    ],
    categories: [{ category_id: 'c-1', name: 'Safety' }],
    files: [{ file_id: 'f-1', name: 'photo.png' }],
    ...overrides,
  };
}

export function userAnswer(overrides: Record<string, unknown> = {}) {
  return {
    user_id: 'u-1',
    user_name: 'ada@example.com',
    user_type: 'trainer',
    email_address: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Byron',
    organization: '',
    notes: '',
    time_zone: 'Europe/London',
    suspended: false,
    manage_users: true,
    manage_groups: false,
    edit_quizzes: true,
    quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' }],
    groups: [],
    trainerquizzes: [],
    trainergroups: [],
    date_created: '2024-01-02 03:04:05',
    ...overrides,
  };
}

export const successAnswer = { message: '200: OK' };
