import type { Database } from '../database.ts';
import type { Quiz } from './quizzes.ts';

export interface AssignedQuiz {
  quiz_id: string;
  name: string;
  date_assigned: string;
}

/** Specification, section 2.5. */
export interface Group {
  group_id: string;
  group_name: string;
}

/** Who has what, by table. */
export interface Assignments {
  user_quizzes: { user_id: string; quiz_id: string; date_assigned: string };
  user_groups: { user_id: string; group_id: string };
  group_quizzes: { group_id: string; quiz_id: string };
  trainer_quizzes: { user_id: string; quiz_id: string };
  trainer_groups: { user_id: string; group_id: string };
}

/** Keeps an existing assignment with its date. */
export function assign<Table extends keyof Assignments>(
  database: Database,
  table: Table,
  assignment: Assignments[Table],
): void {
  database.insert(table, assignment, 'ON CONFLICT DO NOTHING');
}

export function unassign<Table extends keyof Assignments>(
  database: Database,
  table: Table,
  assignment: Assignments[Table],
): void {
  const ids = Object.entries(assignment).filter(([name]) => name.endsWith('_id'));
  const isSame = ids.map(([name]) => `${name} = :${name}`).join(' AND ');
  database.run(`DELETE FROM ${table} WHERE ${isSame}`, Object.fromEntries(ids));
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
  return listQuizzesToTake(database, userId).some(({ quiz_id }) => quiz_id === quizId);
}

export function listGroups(database: Database): Group[] {
  return database.all('SELECT group_id, group_name FROM groups ORDER BY seq');
}

export function findGroup(database: Database, groupId: string): Group | undefined {
  return database.get('SELECT group_id, group_name FROM groups WHERE group_id = ?', [groupId]);
}

export function addGroup(database: Database, group: Group): void {
  database.insert('groups', group);
}
