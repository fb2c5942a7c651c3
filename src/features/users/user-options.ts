import type { FieldOption } from '../../operations/fields/choice.ts';
import type { User } from '../../quiz-api/records.ts';
import { say } from '../../domain/said.ts';

export const userTypes = [
  { value: 'respondent', label: 'Respondent', hint: 'takes quizzes', also: ['respondents'] },
  {
    value: 'trainer',
    label: 'Trainer',
    hint: 'runs quizzes, depending on their rights',
    also: ['trainers'],
    needs: 'manage_users',
  },
  {
    value: 'administrator',
    label: 'Administrator',
    hint: 'gives rights and decides on requests',
    also: ['administrators', 'admin', 'admins'],
    needs: 'manage_users',
  },
] as const satisfies FieldOption[];

/** The rights of a trainer or administrator: the flags of the specification, section 2.4. */
export const userFlags = [
  {
    value: 'edit_quizzes',
    label: 'Edit quizzes',
    hint: 'create, edit, open, close and delete quizzes, see results',
    needs: 'manage_users',
  },
  {
    value: 'manage_users',
    label: 'Manage users',
    hint: 'see and suspend users, create respondents',
    needs: 'manage_users',
  },
  { value: 'manage_groups', label: 'Manage groups', hint: 'see and edit groups', needs: 'manage_users' },
] as const satisfies FieldOption[];

/** What a reviewer has to know about a new administrator. */
export const administratorsDecide = say`They could decide on what other people request.`;

/** Not where something else was given for a user. */
export function isOfStaff(user: Partial<User> | undefined): boolean {
  return user?.user_type !== undefined && user.user_type !== 'respondent';
}
