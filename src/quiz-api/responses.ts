import * as z from 'zod';
import { done, resourceOf } from './answers.ts';
import { count, decimal, flag, id, link, list, optionalUtcDate, orNull, text } from './fields.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { listOf } from './list-answer.ts';
import { path } from './endpoint.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { DownloadedFile } from './download.ts';

export const responseStatusSchema = z.enum(['not_started', 'not_submitted', 'submitted']);

const responseFields = z.object({
  response_id: id,
  quiz_id: id,
  quiz_name: text,
  first_name: text,
  last_name: text,
  email_address: text,
  user_id: orNull(z.string()),
  user_name: orNull(z.string()),
  date_submitted: optionalUtcDate,
  points: orNull(decimal),
  available_points: orNull(decimal),
  percentage_score: orNull(decimal),
  grade: text,
  pass: orNull(z.boolean()),
  duration: orNull(decimal),
  attempt: orNull(decimal),
  ip_address: text,
  status: responseStatusSchema.nullish(),
  publish_type: text,
  access_code: text,
  certificate_url: link,
  response_report_url: link,
  registration_fields: list(z.object({ name: text, value: text })),
});

/**
 * A respondent's attempt at a quiz: section 2.2 of the specification, and the `data` of a webhook,
 * which lacks some of the fields.
 *
 * Null is what the service does not say. `duration` is in seconds; `outcome` is null unless the response is submitted.
 */
export const responseSchema = z.compile(responseFields.transform((response) => {
  const status = response.status ?? (response.date_submitted ? 'submitted' : 'not_submitted');
  const { points, available_points: availablePoints, grade, pass: passed } = response;
  return { ...response, status, outcome: status === 'submitted' ? outcomeOf({ points, availablePoints, grade, passed }) : null };
}));
export type QuizResponse = z.output<typeof responseSchema>;

const optionSchema = z.object({
  option_id: id,
  version: count,
  text,
  correct: flag,
  answer: text,
  selected: flag,
  option_points_available: count,
});
export type QuestionOption = z.output<typeof optionSchema>;

/** A question of a response with the respondent's answers: section 2.3. */
export const questionSchema = z.compile(z.object({
  question_id: id,
  type: text,
  version: count,
  text,
  use_option_points: flag,
  points_scored: count,
  points_available: count,
  options: list(optionSchema),
  categories: list(z.object({ category_id: id, name: text })),
  files: list(z.object({ file_id: id, name: text })),
}));
export type Question = z.output<typeof questionSchema>;

/** The largest uploaded file, unless the caller allows more. */
const defaultMaxBytes = 64 * 1024 * 1024;

export type Responses = ReturnType<typeof createResponses>;

/** The calls of section 4.2. Each fails with a `QuizApiError`; an unknown id is a `NotFoundError`. */
export function createResponses(transport: Transport) {
  return {
    /** All responses to a quiz, including those that are not submitted yet. */
    async list(quizId: string, options?: CallOptions): Promise<QuizResponse[]> {
      return transport.call({
        operation: 'responses.list',
        method: 'GET',
        path: path`/v1/quizzes/${quizId}/responses`,
        read: listOf(responseSchema),
      }, options);
    },

    async get(quizId: string, responseId: string, options?: CallOptions): Promise<QuizResponse> {
      return transport.call({
        operation: 'responses.get',
        method: 'GET',
        path: path`/v1/quizzes/${quizId}/responses/${responseId}`,
        read: resourceOf(responseSchema),
      }, options);
    },

    async delete(quizId: string, responseId: string, options?: CallOptions): Promise<void> {
      return transport.call({
        operation: 'responses.delete',
        method: 'DELETE',
        path: path`/v1/quizzes/${quizId}/responses/${responseId}`,
        read: done,
      }, options);
    },

    /** The questions of the quiz with the respondent's answers. */
    async questions(quizId: string, responseId: string, options?: CallOptions): Promise<Question[]> {
      return transport.call({
        operation: 'responses.questions',
        method: 'GET',
        path: path`/v1/quizzes/${quizId}/responses/${responseId}/questions`,
        read: listOf(questionSchema),
      }, options);
    },

    /**
     * A file that the respondent uploaded; `fileId` comes from a question's `files`.
     *
     * The stream fails with a `FileTooLargeError` beyond `maxBytes` (64 MiB unless given); the call
     * itself fails when the service announces more. Read the stream to its end or destroy it: it holds
     * a connection.
     */
    async file(
      quizId: string,
      responseId: string,
      fileId: string,
      options: CallOptions & { maxBytes?: number | undefined } = {},
    ): Promise<DownloadedFile> {
      return transport.download({
        operation: 'responses.file',
        method: 'GET',
        path: path`/v1/quizzes/${quizId}/responses/${responseId}/files/${fileId}`,
        maxBytes: options.maxBytes ?? defaultMaxBytes,
      }, options);
    },
  };
}
