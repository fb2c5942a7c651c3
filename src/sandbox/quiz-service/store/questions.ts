import { type Database, readRow } from '../database.ts';
import { type GivenAnswer, isSameText, type Option, type Question } from '../taking/scoring.ts';

export function listQuestions(database: Database, quizId: string): Question[] {
  const options = Map.groupBy(
    database.all<{ question_id: string }>(
      `SELECT o.option_id, o.question_id, o.version, o.text, o.correct, o.points
       FROM options o JOIN questions q USING (question_id) WHERE q.quiz_id = ? ORDER BY o.seq`,
      [quizId],
    ),
    (row) => row.question_id,
  );
  const rows = database.all<{ question_id: string }>(
    `SELECT question_id, type, version, text, use_option_points, has_partial_credit, points_available, categories
     FROM questions WHERE quiz_id = ? ORDER BY seq`,
    [quizId],
  );
  return rows.map((row) => ({
    ...readRow<Question>(row, { flags: ['use_option_points', 'has_partial_credit'], json: ['categories'] }),
    options: (options.get(row.question_id) ?? []).map(({ question_id: _, ...option }) =>
      readRow<Option>(option, { flags: ['correct'] }),
    ),
  }));
}

export function addQuestion(database: Database, quizId: string, { options, ...question }: Question): void {
  database.insert('questions', { ...question, quiz_id: quizId });
  for (const option of options) database.insert('options', { ...option, question_id: question.question_id });
}

/** Copies the questions with their options. Each copy gets a new id. */
export function copyQuestions(database: Database, fromQuizId: string, toQuizId: string, newId: () => string): void {
  for (const question of listQuestions(database, fromQuizId)) {
    const options = question.options.map((option) => ({ ...option, option_id: newId() }));
    addQuestion(database, toQuizId, { ...question, question_id: newId(), options });
  }
}

interface ScoredAnswer extends GivenAnswer {
  questionId: string;
  points: number;
}

export interface UploadedFile {
  file_id: string;
  question_id: string;
  name: string;
  content_type: string;
  content: Uint8Array;
}

/** Specification, section 2.3. */
interface AnsweredQuestion {
  question_id: string;
  type: string;
  version: number;
  text: string;
  use_option_points: boolean;
  points_scored: number;
  points_available: number;
  options: AnsweredOption[];
  categories: { category_id: string; name: string }[];
  files: { file_id: string; name: string }[];
}

interface AnsweredOption {
  option_id: string;
  version: number;
  text: string;
  correct: boolean;
  answer: string;
  selected: boolean;
  option_points_available: number;
}

export function addAnswer(database: Database, responseId: string, answer: ScoredAnswer): void {
  database.insert('answers', {
    response_id: responseId,
    question_id: answer.questionId,
    selected_option_ids: answer.selectedOptionIds,
    text: answer.text,
    points_scored: answer.points,
  });
}

export function addFile(database: Database, responseId: string, file: UploadedFile): void {
  database.insert('files', { ...file, response_id: responseId });
}

export function findFile(
  database: Database,
  responseId: string,
  fileId: string,
): { name: string; contentType: string; content: Uint8Array } | undefined {
  return database.get(
    'SELECT name, content_type AS contentType, content FROM files WHERE response_id = ? AND file_id = ?',
    [responseId, fileId],
  );
}

/** Lists all questions of the quiz with the respondent's answers. Unanswered questions have no selected option. */
export function listAnsweredQuestions(database: Database, quizId: string, responseId: string): AnsweredQuestion[] {
  const answers = new Map(readAnswers(database, responseId).map((answer) => [answer.questionId, answer]));
  const files = Map.groupBy(
    database.all<Omit<UploadedFile, 'content' | 'content_type'>>(
      'SELECT file_id, question_id, name FROM files WHERE response_id = ? ORDER BY seq',
      [responseId],
    ),
    (file) => file.question_id,
  );
  return listQuestions(database, quizId).map((question) => {
    const answer = answers.get(question.question_id);
    return {
      question_id: question.question_id,
      type: question.type,
      version: question.version,
      text: question.text,
      use_option_points: question.use_option_points,
      points_scored: answer?.points ?? 0,
      points_available: question.points_available,
      options: answeredOptions(question, answer),
      categories: question.categories,
      files: (files.get(question.question_id) ?? []).map(({ file_id, name }) => ({ file_id, name })),
    };
  });
}

function readAnswers(database: Database, responseId: string): ScoredAnswer[] {
  const rows = database.all<{ question_id: string; selected_option_ids: string; text: string; points_scored: number }>(
    'SELECT question_id, selected_option_ids, text, points_scored FROM answers WHERE response_id = ?',
    [responseId],
  );
  return rows.map((row) => ({
    questionId: row.question_id,
    selectedOptionIds: JSON.parse(row.selected_option_ids) as string[],
    text: row.text,
    points: row.points_scored,
  }));
}

/** Reports a typed answer as the `answer` of every option. Accepted texts that it matches are `selected`. */
function answeredOptions(question: Question, answer: GivenAnswer | undefined): AnsweredOption[] {
  const isTyped = question.type === 'free_text' || question.type === 'essay';
  const typed = isTyped ? (answer?.text ?? '') : '';
  return question.options.map((option) => ({
    option_id: option.option_id,
    version: option.version,
    text: option.text,
    correct: option.correct,
    answer: typed,
    selected: isTyped
      ? typed !== '' && isSameText(typed, option.text)
      : (answer?.selectedOptionIds.includes(option.option_id) ?? false),
    option_points_available: option.points,
  }));
}
