import { nameOrId, shortRespondentName } from '../domain/record-names.ts';
import type { Submission } from '../domain/queues.ts';
import * as z from 'zod';
import {
  accountDatesIn,
  forDates,
  type AccountDates,
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
import { outcomeOf, type SubmissionOutcome } from '../domain/submission-outcome.ts';

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
export function isSubmitted<Response extends { outcome: SubmissionOutcome | null }>(
  response: Response,
): response is Response & { outcome: SubmissionOutcome } {
  return response.outcome !== null;
}

/** When it was submitted, in milliseconds since the epoch; 0 where the service does not say: it is older than any period. */
export function submittedMs({ date_submitted }: Pick<QuizResponse, 'date_submitted'>): number {
  return date_submitted?.getTime() ?? 0;
}

function responseOf(dates: AccountDates, quizId: z.ZodType<string>) {
  return z.compile(
    z
      .object({
        response_id: id,
        quiz_id: quizId,
        quiz_name: htmlText,
        first_name: htmlText,
        last_name: htmlText,
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

/**
 * A respondent's attempt at a quiz: section 2.2 of the specification, and the `data` of a webhook, which lacks some of the
 * fields. Only the ids are needed.
 *
 * Null is what the service does not say. `duration` is in seconds; `outcome` is null unless the response is submitted.
 */
export const responseSchemaOf = forDates((dates) => responseOf(dates, id));

/** A response that need not say of which quiz it is, since the path of the call does. */
export const listedResponseSchemaOf = forDates((dates) => responseOf(dates, optionalId));

/** Adds the quiz to a response that does not say it. */
export function withQuizId(response: QuizResponse, [quizId = '']: readonly string[]): QuizResponse {
  return response.quiz_id === '' ? { ...response, quiz_id: quizId } : response;
}

/** A response of an account whose dates are in UTC. */
export const responseSchema = responseSchemaOf(accountDatesIn('UTC'));
export type QuizResponse = z.output<typeof responseSchema>;
export type SubmittedResponse = QuizResponse & { outcome: SubmissionOutcome };

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

/** The part of a response that is announced. */
export function submissionOf(response: SubmittedResponse, isBackfilled: boolean): Submission {
  return {
    quizId: response.quiz_id,
    quizName: stored(nameOrId('quiz', response.quiz_name, response.quiz_id)),
    responseId: response.response_id,
    ...(response.user_id && isSafeId(response.user_id) && { userId: stored(response.user_id) }),
    name: stored(shortRespondentName(response)),
    points: response.points,
    availablePoints: response.available_points,
    percentage: response.percentage_score,
    grade: stored(response.grade),
    outcome: response.outcome,
    attempt: response.attempt,
    durationSeconds: response.duration,
    submittedAt: response.date_submitted?.getTime() ?? null,
    isBackfilled,
  };
}

const longestText = 2_000;

/** A text that every store takes: Lua's JSON, for example, refuses half of a surrogate pair. */
export function stored(outside: string): string {
  return outside.slice(0, longestText).toWellFormed();
}

const longestId = 200;

/** Whether a text can be an id: a harmless segment of a path, and of a length that logs and keys can hold. */
export function isSafeId(wanted: string): boolean {
  return (
    wanted !== '' &&
    wanted.length <= longestId &&
    wanted.isWellFormed() &&
    wanted !== '.' &&
    !wanted.includes('..') &&
    !/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(wanted)
  );
}
