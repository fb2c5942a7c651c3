import { type Database, readJson } from '../database.ts';
import type { Option, Question, QuestionType } from '../taking/scoring.ts';

interface QuestionRow {
  question_id: string;
  type: QuestionType;
  version: number;
  text: string;
  use_option_points: number;
  has_partial_credit: number;
  points_available: number;
  categories: string;
}

interface OptionRow {
  option_id: string;
  question_id: string;
  version: number;
  text: string;
  correct: number;
  points: number;
}

export function listQuestions(database: Database, quizId: string): Question[] {
  const options = Map.groupBy(
    database.all<OptionRow>(
      `SELECT o.option_id, o.question_id, o.version, o.text, o.correct, o.points
       FROM options o JOIN questions q USING (question_id) WHERE q.quiz_id = ? ORDER BY o.seq`,
      [quizId],
    ),
    (row) => row.question_id,
  );
  const rows = database.all<QuestionRow>(
    `SELECT question_id, type, version, text, use_option_points, has_partial_credit, points_available, categories
     FROM questions WHERE quiz_id = ? ORDER BY seq`,
    [quizId],
  );
  return rows.map((row) => ({
    ...row,
    use_option_points: row.use_option_points === 1,
    has_partial_credit: row.has_partial_credit === 1,
    categories: readJson<Question['categories']>(row.categories),
    options: (options.get(row.question_id) ?? []).map(toOption),
  }));
}

function toOption({ option_id, version, text, correct, points }: OptionRow): Option {
  return { option_id, version, text, correct: correct === 1, points };
}

export function addQuestion(database: Database, quizId: string, question: Question): void {
  database.run(
    `INSERT INTO questions (question_id, quiz_id, type, version, text, use_option_points, has_partial_credit,
                            points_available, categories)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      question.question_id,
      quizId,
      question.type,
      question.version,
      question.text,
      Number(question.use_option_points),
      Number(question.has_partial_credit),
      question.points_available,
      JSON.stringify(question.categories),
    ],
  );
  for (const option of question.options) {
    database.run(
      'INSERT INTO options (option_id, question_id, version, text, correct, points) VALUES (?, ?, ?, ?, ?, ?)',
      [option.option_id, question.question_id, option.version, option.text, Number(option.correct), option.points],
    );
  }
}

/** Copies the questions with their options. Each copy gets a new id. */
export function copyQuestions(database: Database, fromQuizId: string, toQuizId: string, newId: () => string): void {
  for (const question of listQuestions(database, fromQuizId)) {
    const options = question.options.map((option) => ({ ...option, option_id: newId() }));
    addQuestion(database, toQuizId, { ...question, question_id: newId(), options });
  }
}
