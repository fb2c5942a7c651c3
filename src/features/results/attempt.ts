import type { Quiz } from '../../quiz-api/records.ts';
import { made } from '../../operations/page.ts';
import { zoneOf } from '../../operations/dates/typed-time.ts';
import { dateInWords, moment } from '../../time/date-words.ts';
import { say, writtenNumber, named, namedPerson } from '../../domain/said.ts';
import { shortRespondentName, respondentName, nameWithoutAddresses } from '../../domain/record-names.ts';
import { isNotFound } from '../../quiz-api/errors.ts';
import { submittedMs, type QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import {
  InvalidInputError,
  isOpaqueId,
  unclear,
  UnclearInputError,
  type Candidate,
} from '../../operations/text-input.ts';
import { choosable, isOneself, resolveUser } from '../../operations/fields/user.ts';
import { mentionsInWords, parseMention, unquote } from '../../operations/typed-text.ts';
import { fitsFilter } from './filter.ts';
import { byRespondent, isAttemptOf } from './respondents.ts';
import type { QuizField } from '../../operations/fields/things.ts';
import type { TextField } from '../../operations/fields/text.ts';
import { defineOperation } from '../../operations/operation.ts';
import { roundedPercentage } from '../../domain/result.ts';
import { isConfirmed } from '../../operations/change-each.ts';
import { unconfirmed } from '../../operations/wording/words.ts';

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
  // IDs look like UUIDs (specification 2), and names of people rarely have digits.
  const byId =
    /^\S*\d\S*$/.test(text) && parseMention(text) === undefined ? await getAttempt(context, quiz, text) : undefined;
  if (byId) return byId;
  if (isOpaqueId(text))
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

async function getAttempt(
  { api, call }: OperationContext,
  quiz: Quiz,
  responseId: string,
): Promise<QuizResponse | undefined> {
  try {
    return await api.responses.get(quiz.quiz_id, responseId, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
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
  return submittedMs(b) - submittedMs(a);
}

function unclearAttempt(typed: string, attempts: readonly QuizResponse[], timeZone: string): UnclearInputError {
  const candidates = attempts
    .slice(0, candidatesAtMost)
    .map((attempt): Candidate => ({ value: attempt.response_id, label: attemptInWords(attempt, timeZone) }));
  const found = unclear(mentionsInWords(typed), 'attempt', candidates, { count: attempts.length });
  return new UnclearInputError('response', found);
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

export const deleteResponse = defineOperation({
  name: 'delete-response',
  command: '/quiz delete-response <quiz> of <response>',
  summary: 'Delete someone’s attempt with its answers and files for good',
  access: 'destructive',
  right: 'administrator',
  submit: 'Delete attempt',
  fields: {
    quiz: quizField,
    response: {
      ...responseField,
      hint: 'The person’s name if they have only one attempt, or the attempt’s ID. You can’t undo this.',
    },
  },
  action: ({ quiz }) => say`delete an attempt at ${named(quiz.name)}`,
  async effect(context, { quiz, response: typed }) {
    const response = await findAttempt(context, quiz, typed, { mustBeOnly: true });
    return deletionInWords(quiz, response);
  },
  async run(context, { quiz, response: typed }) {
    const response = await findAttempt(context, quiz, typed, { mustBeOnly: true });
    const {
      api: { responses },
      call,
    } = context;
    const isGone = async () =>
      (await responses.list(quiz.quiz_id, call)).every(({ response_id }) => response_id !== response.response_id);
    const isSure = await isConfirmed(responses.delete(quiz.quiz_id, response.response_id, call), isGone);
    for (const campaign of await context.campaigns.all())
      if (campaign.quiz.id === quiz.quiz_id && campaign.endedAt === null)
        await context.campaigns.put(campaign.id, { kind: 'deleted', responseId: response.response_id });
    const message = deletedMessage(quiz, response);
    return made(isSure ? message : `${message} ${unconfirmed}`);
  },
});

/** What would be deleted, in the conditional. */
export function deletionInWords(quiz: Pick<Quiz, 'name'>, response: QuizResponse): string {
  const { percentage_score: percentage, date_submitted: submitted } = response;
  const at = submitted === null ? say`not submitted` : moment(submitted);
  const facts = percentage === null ? at : `${at}, ${writtenNumber(`${roundedPercentage(percentage)}%`)}`;
  return say`${attemptOfPerson(quiz, response)} (${facts}) would be deleted for good, with its answers and files.`;
}

export function deletedMessage(quiz: Pick<Quiz, 'name'>, response: QuizResponse): string {
  return say`Deleted ${attemptOfPerson(quiz, response)}.`;
}

/** “⁨Rosa⁩’s attempt 2 at ⁨Fire safety⁩”, without the number where the service gives none. */
function attemptOfPerson({ name }: Pick<Quiz, 'name'>, response: QuizResponse): string {
  const [userId, own] = [response.user_id, respondentName(response)];
  const person = userId ? namedPerson({ userId, name: own }) : named(own);
  return response.attempt
    ? say`${person}’s attempt ${response.attempt} at ${named(name)}`
    : say`${person}’s attempt at ${named(name)}`;
}

type RegistrationField = QuizResponse['registration_fields'][number];

/** The response without what tells how to reach the person and where they were, and without the links to their documents. */
export function withoutPersonalData(response: QuizResponse): QuizResponse {
  return {
    ...response,
    first_name: nameWithoutAddresses(response.first_name, ''),
    last_name: nameWithoutAddresses('', response.last_name),
    user_name: null,
    email_address: '',
    ip_address: '',
    access_code: '',
    certificate_url: null,
    response_report_url: null,
    registration_fields: response.registration_fields.filter((field) => !isPersonal(field)),
  };
}

/**
 * Whether a registration field may tell how to reach the person: by its label, which administrators write themselves, or by
 * an answer with an e-mail address, a link, or as many digits as a telephone number or a date of birth.
 */
export function isPersonal({ name, value }: RegistrationField): boolean {
  return (
    personalLabel.test(name) ||
    [name, value].some(
      (text) =>
        /\S@\S|:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u.test(text) || (text.match(/\p{Nd}/gu)?.length ?? 0) >= fewestDigits,
    )
  );
}

const fewestDigits = 6;

/** Parts of the usual labels in the languages of the service's sites. */
const personalLabel =
  /mail|phone|telefon|telefoon|téléphone|teléfono|\btel\b|mobil|móvil|\bcell|\bhandy|\bfax|address|adres|dirección|endereço|indirizzo|street|straße|strasse|\bzip|postal|postcode|postleitzahl|contact|kontakt|contatto|whatsapp|telegram|skype|linkedin|facebook|instagram|twitter|\burl|website|birth|geburt|naissance|nacimiento|nascita|passport/i;
