import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { assign } from '../../src/sandbox/quiz-service/store/assignments.ts';
import { addUser, blankUser } from '../../src/sandbox/quiz-service/store/users.ts';
import type { Journal } from './journal.ts';
import type { Turn } from './steps.ts';
import type { Cohort } from './cohort.ts';
import { foreignTeam } from './tenant.ts';

/** Somebody creates a user in the service itself, who is not the one that the bot wants to create. */
export function makeNamesake(userName: string, { journal, database }: { journal: Journal; database: Database }): void {
  journal.intervene(() =>
    addUser(
      database,
      {
        ...blankUser,
        user_id: randomUUID(),
        user_name: userName,
        first_name: 'Kim',
        last_name: 'March',
        organization: 'Elsewhere',
        user_type: 'trainer',
        manage_users: true,
        date_created: '2026-01-01 00:00:00',
      },
      null,
    ),
  );
}

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
      'move away': { teamId: foreignTeam },
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
    else if (turn.turn === 'close quiz') run("UPDATE quizzes SET status = 'closed' WHERE quiz_id = :id", quiz);
    else {
      run(
        `INSERT INTO responses (response_id, quiz_id, first_name, last_name, email_address, status, attempt, ip_address, publish_type)
         SELECT lower(hex(randomblob(16))), quiz_id, 'Late', 'Guest', '', 'submitted', 1, '', 'quiz_link' FROM quizzes WHERE quiz_id = :id`,
        quiz,
      );
    }
    return;
  }
  if (turn.turn === 'retrain') {
    journal.intervene(() => {
      const id = cohort.users[turn.user] ?? '';
      database.run('DELETE FROM trainer_quizzes WHERE user_id = :id', { id });
      database.run('DELETE FROM trainer_groups WHERE user_id = :id', { id });
      assign(database, 'trainer_quizzes', { user_id: id, quiz_id: cohort.quizzes['draft']! });
      assign(database, 'trainer_groups', { user_id: id, group_id: cohort.groups['b']! });
    });
    return;
  }
  const sql = {
    'make trainer': "UPDATE users SET user_type = 'trainer' WHERE user_id = :id",
    readdress: "UPDATE users SET email_address = 'moved.' || email_address WHERE user_id = :id",
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
