import type { Account } from '../account.ts';
import { formatDate } from '../database.ts';
import { forbidden, notFound } from '../http.ts';
import { addAnswer, addFile, listQuestions, type UploadedFile } from '../store/questions.ts';
import { isAssigned, findQuiz, type Quiz, type QuizSettings, readSettings } from '../store/quizzes.ts';
import {
  addResponse,
  countStartedAttempts,
  findResponse,
  findUnfinishedResponseId,
  markStarted,
  markSubmitted,
  type NewResponse,
  readStart,
  type Respondent,
  type Response,
} from '../store/responses.ts';
import { findUser, type User } from '../store/users.ts';
import { addDeliveries, submittedData } from '../webhooks/webhooks.ts';
import { type GivenAnswer, scoreAnswer, totalScore } from './scoring.ts';

export type GuestRegistration = Pick<
  NewResponse,
  'first_name' | 'last_name' | 'email_address' | 'access_code' | 'registration_fields'
>;

export interface Submission {
  /** By question_id. */
  answers: ReadonlyMap<string, GivenAnswer>;
  files: readonly Omit<UploadedFile, 'file_id'>[];
}

/**
 * Registers a guest who opens the quiz link.
 * @returns the response_id of an attempt that is not started
 * @throws HttpError when the quiz is not open, the access code is wrong or no attempt is left
 */
export function registerGuest(account: Account, quizId: string, guest: GuestRegistration, ipAddress: string): string {
  return account.database.transaction(() => {
    const { settings } = openQuiz(account, quizId);
    if (settings.access_code !== '' && guest.access_code !== settings.access_code) {
      throw forbidden('That access code isn’t right.');
    }
    return register(account, quizId, settings, {
      ...guest,
      access_code: settings.access_code,
      user_id: null,
      publish_type: 'quiz_link',
      ip_address: ipAddress,
    });
  });
}

/**
 * Registers a user to whom the quiz is assigned, directly or through a group. Resumes an unfinished attempt.
 * @returns the response_id of an attempt that is not submitted
 * @throws HttpError when the quiz is not open or not assigned, no attempt is left or the user is suspended
 */
export function registerUser(account: Account, quizId: string, userId: string, ipAddress: string): string {
  return account.database.transaction(() => {
    const { settings } = openQuiz(account, quizId);
    const user = activeUser(account, userId);
    if (!isAssigned(account.database, userId, quizId)) throw forbidden('This quiz isn’t assigned to you.');
    const unfinished = findUnfinishedResponseId(account.database, quizId, userId);
    if (unfinished !== undefined) return unfinished;
    const { first_name, last_name, email_address } = user;
    return register(account, quizId, settings, {
      first_name,
      last_name,
      email_address,
      user_id: userId,
      publish_type: 'assigned_user',
      access_code: '',
      registration_fields: [],
      ip_address: ipAddress,
    });
  });
}

/** Starts the attempt. Starting again has no effect. @throws HttpError for the same reasons as registering */
export function startAttempt(account: Account, responseId: string): void {
  account.database.transaction(() => {
    const response = requireAttempt(account, responseId);
    if (response.status !== 'not_started') return;
    const { settings } = openQuiz(account, response.quiz_id);
    if (response.user_id !== null) activeUser(account, response.user_id);
    const attempt = nextAttempt(account, response.quiz_id, settings, respondentOf(response));
    markStarted(account.database, responseId, attempt, account.now());
  });
}

/**
 * Scores the answers and adds the webhook deliveries in the same transaction. Submitting again has no effect.
 * @throws HttpError when the attempt was not started or the quiz is no longer open
 */
export function submitAttempt(account: Account, responseId: string, submission: Submission): void {
  account.database.transaction(() => {
    const response = requireAttempt(account, responseId);
    if (response.status === 'submitted') return;
    const { settings } = openQuiz(account, response.quiz_id);
    if (response.user_id !== null) activeUser(account, response.user_id);
    const startedMs = readStart(account.database, responseId);
    if (startedMs === null) throw forbidden('Start this attempt first.');

    const nowMs = account.now();
    writeResult(account, response, settings, submission, startedMs, nowMs);
    addDeliveries(account.database, {
      event_id: account.newId(),
      event_type: 'response.submitted',
      occurredMs: nowMs,
      data: submittedData(requireAttempt(account, responseId)),
    });
  });
  account.deliverEvents();
}

/** @throws HttpError 404, or 403 when the quiz is in design or closed */
export function openQuiz(account: Account, quizId: string): { quiz: Quiz; settings: QuizSettings } {
  const quiz = findQuiz(account.database, quizId);
  if (!quiz) throw notFound('This quiz doesn’t exist. It may have been deleted.');
  if (quiz.status === 'in_design') throw forbidden('This quiz isn’t open yet.');
  if (quiz.status === 'closed') throw forbidden('This quiz is closed.');
  return { quiz, settings: readSettings(account.database, quizId) };
}

/** @throws HttpError 404 */
export function requireAttempt(account: Account, responseId: string): Response {
  const response = findResponse(account.database, responseId, account.publicUrl());
  if (!response) throw notFound('This attempt doesn’t exist. It may have been deleted.');
  return response;
}

function register(
  account: Account,
  quizId: string,
  settings: QuizSettings,
  details: Omit<NewResponse, 'response_id' | 'quiz_id' | 'attempt'>,
): string {
  const attempt = nextAttempt(account, quizId, settings, respondentOf(details));
  const responseId = account.newId();
  addResponse(account.database, { ...details, response_id: responseId, quiz_id: quizId, attempt });
  return responseId;
}

function nextAttempt(account: Account, quizId: string, settings: QuizSettings, respondent: Respondent): number {
  const started = countStartedAttempts(account.database, quizId, respondent);
  if (settings.attempts_limit !== null && started >= settings.attempts_limit) {
    throw forbidden('You have no attempts left for this quiz.');
  }
  return started + 1;
}

function respondentOf(response: Pick<Response, 'user_id' | 'email_address'>): Respondent {
  return response.user_id === null ? { emailAddress: response.email_address } : { userId: response.user_id };
}

function activeUser(account: Account, userId: string): User {
  const user = findUser(account.database, userId);
  if (!user || user.suspended) throw forbidden('This user is suspended.');
  return user;
}

function writeResult(
  account: Account,
  response: Response,
  settings: QuizSettings,
  submission: Submission,
  startedMs: number,
  nowMs: number,
): void {
  const { database } = account;
  const scored = listQuestions(database, response.quiz_id).map((question) => {
    const given = submission.answers.get(question.question_id) ?? { selectedOptionIds: [], text: '' };
    const points = scoreAnswer(question, given);
    addAnswer(database, response.response_id, { ...given, questionId: question.question_id, points });
    return { points, available: question.points_available };
  });
  for (const file of submission.files) addFile(database, response.response_id, { ...file, file_id: account.newId() });
  markSubmitted(database, response.response_id, {
    ...totalScore(scored, settings.grades, settings.pass_mark),
    date_submitted: formatDate(nowMs),
    duration: Math.round((nowMs - startedMs) / 1000),
  });
}
