import { zoneOf } from '../../operations/dates/time-of-day.ts';
import { dateInWords } from '../../time/date-words.ts';
import { say } from '../../domain/said.ts';
import { named } from '../../domain/sentence.ts';
import { shortRespondentName } from '../../domain/short-name.ts';
import { NotFoundError } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError, UnclearInputError } from '../../operations/errors.ts';
import type { Candidate } from '../../operations/fields/field-kind.ts';
import { choosable, isOneself, resolveUser } from '../../operations/fields/user.ts';
import { mentionsInWords, parseMention, unquote } from '../../operations/typed-text.ts';
import { fitsFilter } from './filter.ts';
import { byRespondent, isAttemptOf } from './respondents.ts';
import type { QuizField } from '../../operations/fields/things.ts';
import type { TextField } from '../../operations/fields/text.ts';

export const quizField = { kind: 'quiz', label: 'Quiz' } as const satisfies QuizField;
export const responseField = {
  kind: 'text',
  label: 'Attempt',
  hint: 'A name or @mention for the person’s last attempt, or the ID of any attempt.',
  maxLength: 250,
  keepsMentions: true,
} as const satisfies TextField;

/**
 * Finds the attempt with this ID, or the last attempt of the person who is mentioned or has these words in their name.
 *
 * @throws {UnclearInputError} when several people fit, and with `mustBeOnly` when the person has several attempts
 * @throws {InvalidInputError} when nobody fits
 */
export async function findAttempt(
  context: OperationContext,
  quiz: Quiz,
  typed: string,
  { mustBeOnly = false } = {},
): Promise<QuizResponse> {
  const text = unquote(typed);
  const byId = canBeId(text) && parseMention(text) === undefined ? await getAttempt(context, quiz, text) : undefined;
  if (byId) return byId;
  if (uuid.test(text))
    throw new InvalidInputError('response', say`This attempt at ${named(quiz.name)} doesn’t exist any more.`);
  const people = await byRespondent(context, (await attemptsThatFit(context, quiz, text)).toSorted(byLatestSubmission));
  const choices = mustBeOnly ? people.flat() : people.flatMap(([last]) => last ?? []);
  const [only, ...others] = choices;
  if (only === undefined && parseMention(text) === undefined && !(await isKnown(context, text)))
    throw new InvalidInputError(
      'response',
      say`Nobody who took ${named(quiz.name)} is called ${named(text)}, and no user is. /quiz results shows who took it.`,
    );
  if (only === undefined)
    throw new InvalidInputError(
      'response',
      say`${named(mentionsInWords(text))} has no attempt at ${named(quiz.name)}. /quiz results shows who has.`,
    );
  if (others.length > 0) throw unclearAttempt(text, choices, zoneOf(context));
  return only;
}

/** Whether a user is called so, whom the reader may choose by name. */
async function isKnown(context: OperationContext, typed: string): Promise<boolean> {
  return (await resolveUser(typed, context, choosable(context.visibility))).kind === 'value';
}

/** The form of the service’s own IDs, as buttons have them. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** IDs look like UUIDs (specification 2), and names of people rarely have digits. */
function canBeId(typed: string): boolean {
  return /^\S*\d\S*$/.test(typed);
}

async function getAttempt(
  { api, call }: OperationContext,
  quiz: Quiz,
  responseId: string,
): Promise<QuizResponse | undefined> {
  try {
    return await api.responses.get(quiz.quiz_id, responseId, call);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

async function attemptsThatFit(context: OperationContext, quiz: Quiz, text: string): Promise<QuizResponse[]> {
  const { api, timeZone, call } = context;
  const { user } = context.actor;
  const fits =
    user && (await isOneself(text, context))
      ? await isAttemptOf(context, user)
      : parseMention(text) === undefined
        ? fitsFilter({ person: text }, timeZone)
        : await attemptsOfMentioned(context, text, 'response');
  return (await api.responses.list(quiz.quiz_id, call)).filter(fits);
}

/**
 * A predicate for the attempts of a mentioned person.
 * @throws {InvalidInputError} for the field when the person has no user in the quiz account
 */
async function attemptsOfMentioned(
  context: OperationContext,
  mention: string,
  field: string,
): Promise<(response: QuizResponse) => boolean> {
  const resolved = await resolveUser(mention, context, choosable(context.visibility));
  if (resolved.kind === 'value') return isAttemptOf(context, resolved.value);
  throw new InvalidInputError(
    field,
    resolved.kind === 'invalid'
      ? resolved.message
      : say`${named(mentionsInWords(mention))} isn’t a user of the quiz account.`,
  );
}

function byLatestSubmission(a: QuizResponse, b: QuizResponse): number {
  return (b.date_submitted?.getTime() ?? 0) - (a.date_submitted?.getTime() ?? 0);
}

function unclearAttempt(typed: string, attempts: readonly QuizResponse[], timeZone: string): UnclearInputError {
  const candidates = attempts
    .slice(0, candidatesAtMost)
    .map((attempt): Candidate => ({ value: attempt.response_id, label: attemptInWords(attempt, timeZone) }));
  return new UnclearInputError('response', {
    kind: 'unclear',
    index: 0,
    typed: mentionsInWords(typed),
    noun: 'attempt',
    candidates,
    count: attempts.length,
    isAlike: true,
  });
}

const candidatesAtMost = 25;

/** Tells attempts of people with the same name apart: by the time, and the number where the service gives one. */
function attemptInWords(attempt: QuizResponse, timeZone: string): string {
  return `${shortRespondentName(attempt, longestName)} · ${submittedInWords(attempt, timeZone)}${attempt.attempt ? ` · ${say`attempt ${attempt.attempt}`}` : ''}`;
}

function submittedInWords({ date_submitted }: Pick<QuizResponse, 'date_submitted'>, timeZone: string): string {
  if (date_submitted === null) return say`not submitted`;
  return dateInWords(date_submitted, 'momentWithoutZone', timeZone);
}

/** Leaves room for the time on a button. In UTF-16 units. */
const longestName = 35;
