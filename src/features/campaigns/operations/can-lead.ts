import type { User } from '../../../quiz-api/users.ts';

/** Whether a person may read who has not taken a quiz. */
export function canLead({ suspended, edit_quizzes, user_type }: User): boolean {
  return !suspended && edit_quizzes && (user_type === 'trainer' || user_type === 'administrator');
}
