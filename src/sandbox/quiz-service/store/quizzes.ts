import { type Database, readJson } from '../database.ts';
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
  passMark: number;
  grades: GradeBand[];
  attemptsLimit: number | null;
  durationLimitSeconds: number | null;
  /** The code that guests must enter. Empty: none. */
  accessCode: string;
  hasCertificate: boolean;
  hasReport: boolean;
  /** The fields that guests fill in, in addition to name and e-mail address. */
  registrationFields: string[];
}

export const defaultSettings: QuizSettings = {
  passMark: 50,
  grades: [
    { grade: 'A', from: 85 },
    { grade: 'B', from: 70 },
    { grade: 'C', from: 50 },
    { grade: 'D', from: 35 },
    { grade: 'F', from: 0 },
  ],
  attemptsLimit: null,
  durationLimitSeconds: null,
  accessCode: '',
  hasCertificate: false,
  hasReport: false,
  registrationFields: [],
};

const columns = 'quiz_id, name, status, date_created';

export function listQuizzes(database: Database): Quiz[] {
  return database.all(`SELECT ${columns} FROM quizzes ORDER BY seq`);
}

export function findQuiz(database: Database, quizId: string): Quiz | undefined {
  return database.get(`SELECT ${columns} FROM quizzes WHERE quiz_id = ?`, [quizId]);
}

export function addQuiz(database: Database, quiz: Quiz, settings: QuizSettings = defaultSettings): void {
  database.run(
    `INSERT INTO quizzes (quiz_id, name, status, date_created, pass_mark, grades, attempts_limit, duration_limit_s,
                          access_code, has_certificate, has_report, registration_fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      quiz.quiz_id,
      quiz.name,
      quiz.status,
      quiz.date_created,
      settings.passMark,
      JSON.stringify(settings.grades),
      settings.attemptsLimit,
      settings.durationLimitSeconds,
      settings.accessCode,
      Number(settings.hasCertificate),
      Number(settings.hasReport),
      JSON.stringify(settings.registrationFields),
    ],
  );
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

interface SettingsRow {
  pass_mark: number;
  grades: string;
  attempts_limit: number | null;
  duration_limit_s: number | null;
  access_code: string;
  has_certificate: number;
  has_report: number;
  registration_fields: string;
}

/** @returns the default settings when the quiz does not exist */
export function readSettings(database: Database, quizId: string): QuizSettings {
  const row = database.get<SettingsRow>(
    `SELECT pass_mark, grades, attempts_limit, duration_limit_s, access_code, has_certificate, has_report,
            registration_fields
     FROM quizzes WHERE quiz_id = ?`,
    [quizId],
  );
  if (!row) return defaultSettings;
  return {
    passMark: row.pass_mark,
    grades: readJson<GradeBand[]>(row.grades),
    attemptsLimit: row.attempts_limit,
    durationLimitSeconds: row.duration_limit_s,
    accessCode: row.access_code,
    hasCertificate: row.has_certificate === 1,
    hasReport: row.has_report === 1,
    registrationFields: readJson<string[]>(row.registration_fields),
  };
}
