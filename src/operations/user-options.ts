import type { FieldOption } from './fields/choice.ts';

export const userTypes = [
  { value: 'respondent', label: 'Respondent', hint: 'takes quizzes' },
  { value: 'trainer', label: 'Trainer', hint: 'works with quizzes, as far as their rights go', needs: 'manage_users' },
  { value: 'administrator', label: 'Administrator', hint: 'may do everything', needs: 'manage_users' },
] as const satisfies FieldOption[];

/** The rights of a trainer or administrator: the flags of the specification, section 2.4. */
export const userFlags = [
  { value: 'edit_quizzes', label: 'Edit quizzes', hint: 'create, edit, delete and publish quizzes, see reports', needs: 'manage_users' },
  { value: 'manage_users', label: 'Manage users', hint: 'see and suspend users, create respondents', needs: 'manage_users' },
  { value: 'manage_groups', label: 'Manage groups', hint: 'see and edit groups', needs: 'manage_users' },
] as const satisfies FieldOption[];
