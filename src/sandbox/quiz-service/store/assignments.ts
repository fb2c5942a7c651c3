import type { Database } from '../database.ts';
import type { Quiz } from './quizzes.ts';

export interface AssignedQuiz {
  quiz_id: string;
  name: string;
  date_assigned: string;
}

/** Keeps the date of an existing assignment. */
export function assignQuizToUser(database: Database, userId: string, quizId: string, dateAssigned: string): void {
  database.run('INSERT INTO user_quizzes (user_id, quiz_id, date_assigned) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
    userId,
    quizId,
    dateAssigned,
  ]);
}

export function unassignQuizFromUser(database: Database, userId: string, quizId: string): void {
  database.run('DELETE FROM user_quizzes WHERE user_id = ? AND quiz_id = ?', [userId, quizId]);
}

export function assignUserToGroup(database: Database, userId: string, groupId: string): void {
  database.run('INSERT INTO user_groups (user_id, group_id) VALUES (?, ?) ON CONFLICT DO NOTHING', [userId, groupId]);
}

export function unassignUserFromGroup(database: Database, userId: string, groupId: string): void {
  database.run('DELETE FROM user_groups WHERE user_id = ? AND group_id = ?', [userId, groupId]);
}

export function assignQuizToGroup(database: Database, quizId: string, groupId: string): void {
  database.run('INSERT INTO group_quizzes (group_id, quiz_id) VALUES (?, ?) ON CONFLICT DO NOTHING', [groupId, quizId]);
}

export function unassignQuizFromGroup(database: Database, quizId: string, groupId: string): void {
  database.run('DELETE FROM group_quizzes WHERE group_id = ? AND quiz_id = ?', [groupId, quizId]);
}

export function listGroupsOfQuiz(database: Database, quizId: string): Group[] {
  return database.all(
    `SELECT g.group_id, g.group_name FROM group_quizzes gq JOIN groups g USING (group_id)
     WHERE gq.quiz_id = ? ORDER BY gq.seq`,
    [quizId],
  );
}

/** Lists the quizzes assigned to the user directly, not through a group. */
export function listQuizzesOfUser(database: Database, userId: string): AssignedQuiz[] {
  return database.all(
    `SELECT q.quiz_id, q.name, uq.date_assigned FROM user_quizzes uq JOIN quizzes q USING (quiz_id)
     WHERE uq.user_id = ? ORDER BY uq.seq`,
    [userId],
  );
}

/** Lists the quizzes assigned to the user directly or through a group. */
export function listQuizzesToTake(database: Database, userId: string): Quiz[] {
  return database.all(
    `SELECT quiz_id, name, status, date_created FROM quizzes WHERE quiz_id IN (
       SELECT quiz_id FROM user_quizzes WHERE user_id = :user
       UNION SELECT quiz_id FROM user_groups JOIN group_quizzes USING (group_id) WHERE user_id = :user)
     ORDER BY seq`,
    { user: userId },
  );
}

/** Whether a quiz is assigned to a user directly or through a group. */
export function isAssigned(database: Database, userId: string, quizId: string): boolean {
  return (
    database.get(
      `SELECT 1 FROM user_quizzes WHERE user_id = :user AND quiz_id = :quiz
       UNION ALL
       SELECT 1 FROM user_groups ug JOIN group_quizzes gq USING (group_id)
       WHERE ug.user_id = :user AND gq.quiz_id = :quiz`,
      { user: userId, quiz: quizId },
    ) !== undefined
  );
}

export function addTrainerQuiz(database: Database, userId: string, quizId: string): void {
  database.run('INSERT INTO trainer_quizzes (user_id, quiz_id) VALUES (?, ?)', [userId, quizId]);
}

export function addTrainerGroup(database: Database, userId: string, groupId: string): void {
  database.run('INSERT INTO trainer_groups (user_id, group_id) VALUES (?, ?)', [userId, groupId]);
}

/** Specification, section 2.5. */
export interface Group {
  group_id: string;
  group_name: string;
}

export function listGroups(database: Database): Group[] {
  return database.all('SELECT group_id, group_name FROM groups ORDER BY seq');
}

export function findGroup(database: Database, groupId: string): Group | undefined {
  return database.get('SELECT group_id, group_name FROM groups WHERE group_id = ?', [groupId]);
}

export function addGroup(database: Database, group: Group): void {
  database.run('INSERT INTO groups (group_id, group_name) VALUES (?, ?)', [group.group_id, group.group_name]);
}
