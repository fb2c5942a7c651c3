import { type Database, formatDate } from '../database.ts';
import { addAnswer, addFile } from '../store/questions.ts';
import { defaultSettings } from '../store/quizzes.ts';
import { addResponse, countStartedAttempts, markStarted, markSubmitted } from '../store/responses.ts';
import { type GivenAnswer, type Question, scoreAnswer, totalScore } from '../taking/scoring.ts';
import type { SeededRandom } from './seeded-random.ts';
import { misconceptionAmong, type SampleQuiz } from './quizzes.ts';

/** What a sample account is filled with, and from when on its dates count. */
export interface Filling {
  database: Database;
  random: SeededRandom;
  nowMs: number;
}

export interface Taker {
  user_id?: string;
  first_name: string;
  last_name: string;
  email_address: string;
}

interface BegunAttempt {
  quizId: string;
  quiz: SampleQuiz;
  who: Taker;
  startedMs: number;
  /** Default: a random id. */
  responseId?: string;
}

interface SampleAttempt extends BegunAttempt {
  /** Of the quiz. */
  questions: readonly Question[];
  /** The probability of a right answer, 0 to 1. */
  skill: number;
  file?: { name: string; text: string };
}

/** Adds a submitted attempt. */
export function addSampleAttempt(filling: Filling, attempt: SampleAttempt): void {
  const { database, random } = filling;
  const { quiz, questions, startedMs, skill, file } = attempt;
  const responseId = beginAttempt(filling, attempt);
  const scored = questions.map((question) => {
    const answer = guess(question, skill, random);
    const points = scoreAnswer(question, answer);
    addAnswer(database, responseId, { ...answer, questionId: question.question_id, points });
    return { points, available: question.points_available };
  });
  const upload = questions.find((question) => question.type === 'file_upload');
  if (upload && file) {
    addFile(database, responseId, {
      file_id: random.id(),
      question_id: upload.question_id,
      name: file.name,
      content_type: 'text/plain',
      content: Buffer.from(file.text),
    });
  }
  const duration = questions.length * random.between(12, 55);
  const { grades, pass_mark } = { ...defaultSettings, ...quiz.settings };
  markSubmitted(database, responseId, {
    ...totalScore(scored, grades, pass_mark),
    date_submitted: formatDate(startedMs + duration * 1000),
    duration,
  });
}

/** Adds an attempt that is started but not submitted. @returns its ID */
export function beginAttempt(filling: Filling, begun: BegunAttempt): string {
  const { responseId, attempt } = registerAttempt(filling, begun);
  markStarted(filling.database, responseId, attempt, begun.startedMs);
  return responseId;
}

/** Adds an attempt of somebody who has registered and not begun. */
export function registerAttempt(
  { database, random }: Filling,
  { quizId, quiz, who, responseId = random.id() }: Omit<BegunAttempt, 'startedMs'>,
): { responseId: string; attempt: number } {
  const { user_id, first_name, last_name, email_address } = who;
  const isGuest = user_id === undefined;
  const respondent = isGuest ? { emailAddress: email_address } : { userId: user_id };
  // Guests without an address cannot be told apart, so each of them is at the first attempt.
  const attempt = isGuest && email_address === '' ? 1 : countStartedAttempts(database, quizId, respondent) + 1;
  const fields = quiz.settings.registration_fields ?? [];
  addResponse(database, {
    response_id: responseId,
    quiz_id: quizId,
    user_id: user_id ?? null,
    first_name,
    last_name,
    email_address,
    attempt,
    ip_address: `198.51.100.${random.between(1, 254)}`,
    publish_type: isGuest ? 'quiz_link' : 'assigned_user',
    access_code: isGuest ? (quiz.settings.access_code ?? '') : '',
    registration_fields: isGuest ? fields.map((name) => ({ name, value: registrationValue(name, random) })) : [],
  });
  return { responseId, attempt };
}

function registrationValue(name: string, random: SeededRandom): string {
  return name === 'Department'
    ? random.pick(['Kitchen', 'Warehouse', 'Front desk'])
    : `E-${random.between(10_000, 99_999)}`;
}

/** Answers a question. @param skill the probability of a right answer, 0 to 1 */
export function guess(question: Question, skill: number, random: SeededRandom): GivenAnswer {
  const { type, options } = question;
  const knows = random.number() < skill;
  const correct = options.filter((option) => option.correct);
  switch (type) {
    case 'essay':
      return { selectedOptionIds: [], text: 'I tell my manager at once and ask the person to delete it.' };
    case 'file_upload':
      return { selectedOptionIds: [], text: '' };
    case 'free_text':
      return { selectedOptionIds: [], text: knows ? (correct[0]?.text ?? '') : String(random.between(20, 999)) };
    case 'checkbox': {
      const chosen = options.filter((option) => (knows ? option.correct : random.number() < 0.5));
      return { selectedOptionIds: chosen.map((option) => option.option_id), text: '' };
    }
    default: {
      const best = correct.toSorted((a, b) => b.points - a.points)[0];
      const picked = knows && best ? best : random.pick(options);
      const chosen = picked.correct ? picked : (misconceptionAmong(options) ?? picked);
      return { selectedOptionIds: [chosen.option_id], text: '' };
    }
  }
}
