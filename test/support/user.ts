import type { User } from '../../src/quiz-api/users.ts';

/** A user of the account, a respondent unless told otherwise. */
export function quizUser(overrides: Partial<User> = {}): User {
  return {
    user_id: 'u-rosa',
    user_name: 'rosa@quiz.example',
    user_type: 'respondent',
    email_address: 'rosa@quiz.example',
    first_name: 'Rosa',
    last_name: 'Almeida',
    organization: '',
    notes: '',
    time_zone: 'UTC',
    suspended: false,
    manage_users: false,
    manage_groups: false,
    edit_quizzes: false,
    quizzes: [],
    groups: [],
    trainerquizzes: [],
    trainergroups: [],
    date_created: '2026-01-01 00:00:00',
    ...overrides,
  };
}
