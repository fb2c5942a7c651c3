import { say } from '../../../src/domain/said.ts';
import type { ChangeRow, QuizNotice } from '../../../src/domain/batch.ts';
import { rowOf } from '../../../src/operations/define-plan.ts';
import { createRow, updateRow, type ImportedUser } from '../../../src/features/imports/user-rows.ts';

/** Rows as the operations that plan batches make them. */
export function assignRow(
  quizId: string,
  to: { userId: string } | { groupId: string },
  { name, notify }: { name?: string; notify?: readonly QuizNotice[] } = {},
): ChangeRow {
  const id = 'userId' in to ? to.userId : to.groupId;
  return rowOf(
    'assign-quiz',
    { quiz: [quizId], to: ['userId' in to ? `user:${id}` : `group:${id}`] },
    {
      name: name ?? id,
      words: say`gets the quiz`,
      undo: { operation: 'unassign-quiz', words: say`loses the quiz` },
      ...('userId' in to && { userId: id }),
      ...(notify && { notify }),
    },
  );
}

export function suspendRow(userId: string, name: string): ChangeRow {
  const undo = { operation: 'reinstate-user', words: say`reinstated` };
  return rowOf('suspend-user', { user: [userId] }, { name, words: say`suspended`, undo, userId });
}

export function membershipRow(change: 'add-to-group' | 'remove-from-group', userId: string, name: string): ChangeRow {
  const words = change === 'add-to-group' ? say`joins the group` : say`leaves the group`;
  return rowOf(change, { user: [userId], group: ['g-1'] }, { name, words, userId });
}

const importedUser = (more: Partial<ImportedUser>): ImportedUser => ({
  firstName: '',
  lastName: '',
  userName: '',
  emailAddress: '',
  userType: 'respondent',
  flags: [],
  groups: [],
  quizzes: [],
  sendsWelcome: false,
  ...more,
});

export function newUserRow(name: string, more: Partial<ImportedUser> = {}): ChangeRow {
  return createRow(name, importedUser({ firstName: name, lastName: 'New', userName: `${name}@quiz.example`, ...more }));
}

export function updateUserRow(
  name: string,
  userId: string,
  user: Partial<ImportedUser>,
  changed: Parameters<typeof updateRow>[3],
): ChangeRow {
  return updateRow(name, userId, importedUser(user), changed);
}
