import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import type { Journal } from './journal.ts';
import type { Turn } from './steps.ts';
import type { Cohort } from './cohort.ts';

/** Changes the account or the workspace without the bot. */
export function makeTurn(
  turn: Turn,
  { cohort, journal, database }: { cohort: Cohort; journal: Journal; database: Database },
): void {
  if ('person' in turn) {
    const person = cohort.people[turn.person];
    if (person === undefined) return;
    const changes = {
      deactivate: { isDeleted: true },
      'make guest': { isGuest: true },
      'move away': { teamId: 'T0FOREIGN' },
      unconfirm: { isConfirmed: false },
      restore: { isDeleted: false, isGuest: false },
    }[turn.turn];
    journal.setPerson(cohort, { ...person, ...changes });
    return;
  }
  const run = (sql: string, id: string | undefined) => journal.intervene(() => database.run(sql, { id: id ?? '' }));
  if ('quiz' in turn) {
    const quiz = cohort.quizzes[turn.quiz];
    if (turn.turn === 'rename quiz') run("UPDATE quizzes SET name = name || ' II' WHERE quiz_id = :id", quiz);
    else if (turn.turn === 'delete quiz') run('DELETE FROM quizzes WHERE quiz_id = :id', quiz);
    else {
      run(
        `INSERT INTO responses (response_id, quiz_id, first_name, last_name, email_address, status, attempt, ip_address, publish_type)
         SELECT lower(hex(randomblob(16))), quiz_id, 'Late', 'Guest', '', 'submitted', 1, '', 'quiz_link' FROM quizzes WHERE quiz_id = :id`,
        quiz,
      );
    }
    return;
  }
  const sql = {
    suspend: 'UPDATE users SET suspended = 1 WHERE user_id = :id',
    reinstate: 'UPDATE users SET suspended = 0 WHERE user_id = :id',
    demote:
      "UPDATE users SET user_type = 'respondent', manage_users = 0, manage_groups = 0, edit_quizzes = 0 WHERE user_id = :id",
    promote:
      "UPDATE users SET user_type = 'administrator', manage_users = 1, manage_groups = 1, edit_quizzes = 1 WHERE user_id = :id",
    unflag: 'UPDATE users SET manage_users = 0, manage_groups = 0, edit_quizzes = 0 WHERE user_id = :id',
    delete: 'DELETE FROM users WHERE user_id = :id',
    untrain: 'DELETE FROM trainer_groups WHERE user_id = :id',
    leave: 'DELETE FROM user_groups WHERE user_id = :id',
    rename: "UPDATE users SET first_name = first_name || ' II' WHERE user_id = :id",
  }[turn.turn];
  run(sql, cohort.users[turn.user]);
}
