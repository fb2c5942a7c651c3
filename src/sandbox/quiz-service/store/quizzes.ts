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
  duration_limit_s: number | null;
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
  duration_limit_s: null,
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
