import * as z from 'zod';
import { accountDatesIn, type AccountDates } from './account-dates.ts';
import { done, resourceOf } from './answers.ts';
import {
  count,
  flag,
  htmlText,
  id,
  isObject,
  link,
  listOfReadable,
  optionalFlag,
  optionalId,
  optionalNumber,
  optionalText,
  text,
  textOf,
} from './fields.ts';
import { outcomeOf, type Outcome } from '../domain/outcome.ts';
import { path } from './endpoint.ts';
import type { ReadList } from './read-list.ts';
import { createSharedLists } from './shared-lists.ts';
import { createShareText, sharedIfEmpty, type ShareText } from './shared-texts.ts';
import type { Now } from '../time/clock.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { DownloadedFile } from './download.ts';

/** The fields of a response that tell how it went: also those of an assigned quiz in the single user. */
export function resultFieldsOf(dates: AccountDates) {
  return {
    points: optionalNumber,
    available_points: optionalNumber,
    percentage_score: optionalNumber,
    grade: htmlText,
    pass: optionalFlag,
    duration: optionalNumber,
    attempt: optionalNumber,
    status: z.unknown().default(null),
    date_submitted: dates.moment,
  };
}

interface Result {
  status: unknown;
  date_submitted: Date | string | null;
  points: number | null;
  available_points: number | null;
  grade: string;
  pass: boolean | null;
}

/** The statuses of section 2.2. Real accounts have others. */
const knownStatuses = ['not_started', 'not_submitted', 'submitted'];

/**
 * Adds the status and the outcome, which only a submitted response has. A response without a status is submitted if it has
 * a date of submission. A response with a status that the specification does not name is not submitted, whatever its date.
 *
 * @param missing the status of a response with neither a status nor a date
 */
export function withOutcome<Fields extends Result, Missing>(fields: Fields, missing: Missing) {
  const { points, available_points: availablePoints, grade, pass: passed } = fields;
  const status = statusIn(fields) ?? missing;
  return {
    ...fields,
    status,
    outcome: status === 'submitted' ? outcomeOf({ points, availablePoints, grade, passed }) : null,
  };
}

function statusIn({ status, date_submitted }: Result): string | undefined {
  const written = textOf(status).trim();
  if (written === '') return date_submitted === null ? undefined : 'submitted';
  return knownStatuses.find((known) => known === written.toLowerCase()) ?? written;
}

/** Whether a response is submitted, by the rule of `withOutcome`. */
export function isSubmitted<Response extends { outcome: Outcome | null }>(
  response: Response,
): response is Response & { outcome: Outcome } {
  return response.outcome !== null;
}

/**
 * A respondent's attempt at a quiz: section 2.2 of the specification, and the `data` of a webhook, which lacks some of the
 * fields. Only the ids are needed.
 *
 * Null is what the service does not say. `duration` is in seconds; `outcome` is null unless the response is submitted.
 *
 * @param quizId how to read the id of the quiz
 */
export function responseSchemaOf(dates: AccountDates, quizId: z.ZodType<string> = id) {
  return z.compile(
    z
      .object({
        response_id: id,
        quiz_id: quizId,
        quiz_name: htmlText,
        first_name: text,
        last_name: text,
        email_address: text,
        user_id: optionalText,
        user_name: optionalText,
        ...resultFieldsOf(dates),
        ip_address: text,
        publish_type: text,
        access_code: text,
        certificate_url: link,
        response_report_url: link,
        registration_fields: z.unknown().default(null).transform(registrationFields),
      })
      .transform((response) => withOutcome(response, 'not_submitted')),
  );
}

/** A response of an account whose dates are in UTC. */
export const responseSchema = responseSchemaOf(accountDatesIn('UTC'));
export type QuizResponse = z.output<typeof responseSchema>;
export type SubmittedResponse = QuizResponse & { outcome: Outcome };

/**
 * Makes a response of a list small, in place: what responses have in common is the same string. That halves what memory
 * holds of a list of 50,000.
 */
function compactResponse(response: QuizResponse, share: ShareText): QuizResponse {
  response.quiz_id = share(response.quiz_id);
  response.quiz_name = share(response.quiz_name);
  response.first_name = share(response.first_name);
  response.last_name = share(response.last_name);
  if (response.user_name === response.email_address) response.user_name = response.email_address;
  response.grade = share(response.grade);
  response.ip_address = share(response.ip_address);
  response.publish_type = share(response.publish_type);
  response.access_code = share(response.access_code);
  response.registration_fields = sharedIfEmpty(response.registration_fields);
  for (const field of response.registration_fields) field.name = share(field.name);
  return response;
}

/** What a respondent filled in: an array of names and values, or an object of values by name. A value may be an array. */
function registrationFields(written: unknown): { name: string; value: string }[] {
  if (isObject(written)) return Object.entries(written).map(([name, value]) => ({ name, value: valueOf(value) }));
  if (!Array.isArray(written)) return [];
  return written.filter(isObject).map(({ name, value }) => ({ name: textOf(name), value: valueOf(value) }));
}

function valueOf(value: unknown): string {
  return Array.isArray(value)
    ? value
        .map(textOf)
        .filter((part) => part !== '')
        .join(', ')
    : textOf(value);
}

const optionSchema = z.object({
  option_id: text,
  version: count,
  text: htmlText,
  correct: flag,
  answer: htmlText,
  selected: flag,
  option_points_available: count,
});
export type QuestionOption = z.output<typeof optionSchema>;

/** A question of a response with the respondent's answers: section 2.3. A file needs its id, to be downloaded. */
export const questionSchema = z.compile(
  z.object({
    question_id: text,
    type: text,
    version: count,
    text: htmlText,
    use_option_points: flag,
    points_scored: count,
    points_available: count,
    options: listOfReadable(optionSchema),
    categories: listOfReadable(z.object({ category_id: text, name: htmlText })),
    files: listOfReadable(z.object({ file_id: id, name: text })),
  }),
);
export type Question = z.output<typeof questionSchema>;

/** The largest uploaded file, unless the caller allows more. */
const defaultMaxBytes = 64 * 1024 * 1024;

export type Responses = ReturnType<typeof createResponses>;

/** The calls of section 4.2. Each fails with a `QuizApiError`; an unknown id is a `NotFoundError`. */
export function createResponses({
  transport,
  readList,
  dates,
  now,
}: {
  transport: Transport;
  readList: ReadList;
  dates: AccountDates;
  now: Now;
}) {
  const schema = responseSchemaOf(dates, optionalId);
  /** The path of the call says of which quiz a response is that does not say it. */
  const ofQuiz = (quizId: string) => (response: QuizResponse) =>
    response.quiz_id === '' ? { ...response, quiz_id: quizId } : response;

  async function readAll(quizId: string, options: CallOptions): Promise<QuizResponse[]> {
    const share = createShareText();
    const withQuiz = ofQuiz(quizId);
    return readList(
      {
        operation: 'responses.list',
        path: path`/v1/quizzes/${quizId}/responses`,
        list: 'responses',
        schema,
        keep: (response) => compactResponse(withQuiz(response), share),
      },
      options,
    );
  }

  const lists = createSharedLists({ read: readAll, now });

  return {
    /** All responses to a quiz, including those that are not submitted yet. Calls at the same time may get the same array. */
    async list(quizId: string, options: CallOptions = {}): Promise<QuizResponse[]> {
      return lists.using(quizId, options, (responses) => responses);
    },

    /**
     * Like `list`, for what takes as much memory again: of all calls at the same time for a quiz, one uses the responses at a
     * time.
     */
    async using<Value>(
      quizId: string,
      options: CallOptions,
      use: (responses: QuizResponse[]) => Value | Promise<Value>,
    ): Promise<Value> {
      return lists.using(quizId, options, use);
    },

    async get(quizId: string, responseId: string, options?: CallOptions): Promise<QuizResponse> {
      const response = await transport.call(
        {
          operation: 'responses.get',
          method: 'GET',
          path: path`/v1/quizzes/${quizId}/responses/${responseId}`,
          read: resourceOf(schema),
        },
        options,
      );
      return ofQuiz(quizId)(response);
    },

    async delete(quizId: string, responseId: string, options?: CallOptions): Promise<void> {
      return transport
        .call(
          {
            operation: 'responses.delete',
            method: 'DELETE',
            path: path`/v1/quizzes/${quizId}/responses/${responseId}`,
            read: done,
          },
          options,
        )
        .finally(() => lists.forget(quizId));
    },

    /** The questions of the quiz with the respondent's answers. */
    async questions(quizId: string, responseId: string, options?: CallOptions): Promise<Question[]> {
      return readList(
        {
          operation: 'responses.questions',
          path: path`/v1/quizzes/${quizId}/responses/${responseId}/questions`,
          list: 'questions',
          schema: questionSchema,
        },
        options,
      );
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
      return transport.download(
        {
          operation: 'responses.file',
          method: 'GET',
          path: path`/v1/quizzes/${quizId}/responses/${responseId}/files/${fileId}`,
          maxBytes: options.maxBytes ?? defaultMaxBytes,
        },
        options,
      );
    },
  };
}
