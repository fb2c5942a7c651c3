import { type Database, readRow } from '../database.ts';
import type { GradeBand } from '../taking/scoring.ts';
import { copyQuestions } from './questions.ts';

export type QuizStatus = 'in_design' | 'open' | 'closed';

/** Specification, section 2.1. */
export interface Quiz {
  quiz_id: string;
  name: string;
  status: QuizStatus;
  date_created: string;
}

/** The settings that the REST interface does not show. */
export interface QuizSettings {
  /** Percent. */
  pass_mark: number;
  grades: GradeBand[];
  attempts_limit: number | null;
  /** The code that guests must enter. Empty: none. */
  access_code: string;
  has_certificate: boolean;
  has_report: boolean;
  /** The fields that guests fill in, in addition to name and e-mail address. */
  registration_fields: string[];
}

export const defaultSettings: QuizSettings = {
  pass_mark: 50,
  grades: [
    { grade: 'A', from: 85 },
    { grade: 'B', from: 70 },
    { grade: 'C', from: 50 },
    { grade: 'D', from: 35 },
    { grade: 'F', from: 0 },
  ],
  attempts_limit: null,
  access_code: '',
  has_certificate: false,
  has_report: false,
  registration_fields: [],
};

const columns = 'quiz_id, name, status, date_created';

export function listQuizzes(database: Database): Quiz[] {
  return database.all(`SELECT ${columns} FROM quizzes ORDER BY seq`);
}

export function findQuiz(database: Database, quizId: string): Quiz | undefined {
  return database.get(`SELECT ${columns} FROM quizzes WHERE quiz_id = ?`, [quizId]);
}

export function addQuiz(database: Database, quiz: Quiz, settings: QuizSettings = defaultSettings): void {
  database.insert('quizzes', { ...settings, ...quiz });
}

/** Updates the given fields. */
export function updateQuiz(database: Database, quizId: string, changes: { name?: string; status?: QuizStatus }): void {
  database.run('UPDATE quizzes SET name = coalesce(?, name), status = coalesce(?, status) WHERE quiz_id = ?', [
    changes.name ?? null,
    changes.status ?? null,
    quizId,
  ]);
}

/** Deletes a quiz with its questions, responses, files and assignments. */
export function deleteQuiz(database: Database, quizId: string): void {
  database.run('DELETE FROM quizzes WHERE quiz_id = ?', [quizId]);
}

/** Copies settings and questions, but no responses or assignments. */
export function copyQuiz(database: Database, sourceId: string, copy: Quiz, newId: () => string): void {
  database.transaction(() => {
    addQuiz(database, copy, readSettings(database, sourceId));
    copyQuestions(database, sourceId, copy.quiz_id, newId);
  });
}

/** @returns the default settings when the quiz does not exist */
export function readSettings(database: Database, quizId: string): QuizSettings {
  const settings = Object.keys(defaultSettings).join(', ');
  const row = database.get<object>(`SELECT ${settings} FROM quizzes WHERE quiz_id = ?`, [quizId]);
  if (!row) return defaultSettings;
  return readRow(row, { flags: ['has_certificate', 'has_report'], json: ['grades', 'registration_fields'] });
}

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

/** Whether a quiz is assigned to a user directly or through a group. */
export function isAssigned(database: Database, userId: string, quizId: string): boolean {
  const row = database.get(
    `SELECT 1 FROM user_quizzes WHERE user_id = :user AND quiz_id = :quiz
     UNION SELECT 1 FROM user_groups JOIN group_quizzes USING (group_id) WHERE user_id = :user AND quiz_id = :quiz`,
    { user: userId, quiz: quizId },
  );
  return row !== undefined;
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
