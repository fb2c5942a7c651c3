import type { ProcessTestBed } from './process-test-bed.ts';

/** Adds a person to the workspace and their user to the account. */
export function addAccountPerson(
  { workspace, quizService: { database } }: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
  { personId, userId, timeZone = 'Etc/UTC' }: { personId: string; userId: string; timeZone?: string },
): void {
  const email = `${userId}@quiz.example`;
  workspace.setPerson({ id: personId, name: userId, realName: userId, title: 'Member', email, timeZone });
  database.run(
    "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Member', ?, '2026-01-01 00:00:00')",
    [userId, email, email, email, userId],
  );
}
