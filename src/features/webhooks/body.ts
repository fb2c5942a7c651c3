import { createHash } from 'node:crypto';
import { InvigilatorError } from '../../domain/errors.ts';
import { knownSubmission, textOfKnown } from '../../domain/result.ts';
import { parseFromOutside } from '../../domain/said.ts';
import { accountDatesIn, isObject, listOfReadable, textOf } from '../../quiz-api/fields.ts';
import {
  isSafeId,
  isSubmitted,
  stored,
  questionSchema,
  submissionOf,
  type Question,
  type QuizResponse,
  type SubmittedResponse,
  responseSchemaOf,
} from '../../quiz-api/responses.ts';
import { whoseAttemptAmong, type WhoseAttempt } from '../../directory/whose-attempt.ts';
import type { EventContent, NewEvent } from '../../domain/queues.ts';

/** The type of event that is announced. The others are taken, counted and left. */
const responseSubmitted = 'response.submitted';

/** The body is not an event. The message is one short sentence of the bot's own words: nothing that was sent is in it. */
export class MalformedEventError extends InvigilatorError {
  readonly code = 'malformed_event';
}

type Fields = Readonly<Record<string, unknown>>;

/** A webhook's body, as far as the bot needs it. */
interface WebhookBody {
  /** Undefined where the service sends none that can be used. */
  eventId: string | undefined;
  /** When the service says that it happened, in milliseconds since the epoch; null where it does not. */
  reportedAt: number | null;
  /** Undefined for the types of event that the bot leaves. */
  reported: ReportedResponse | undefined;
}

/** The response that a webhook reports. */
interface ReportedResponse {
  quizId: string;
  responseId: string;
  /** The webhook says so. Where it says neither this nor that the response is submitted, the service has to be asked. */
  isNotSubmitted: boolean;
  /** The date of the submission as it was sent. */
  submittedText: string;
  response: QuizResponse | undefined;
  /** With the respondent’s answers, where the webhook brings them. */
  questions: readonly Question[];
}

const questionList = listOfReadable(questionSchema);

/**
 * Makes a function that reads a webhook's body. Only the ids of the response are required: a field that is not announced
 * must not lose a webhook. An event without a type is taken for the only type of event that the specification names.
 *
 * @param timeZone that of the account's dates
 * @returns throws a `MalformedEventError`
 */
function createWebhookReader(timeZone: string): (text: string) => WebhookBody {
  const dates = accountDatesIn(timeZone);
  const schema = responseSchemaOf(dates);
  const readResponse: ReadResponse = (fields) => schema.safeParse(fields).data;

  return (text) => {
    const event = parseObject(text);
    const type = typeof event['event_type'] === 'string' ? event['event_type'].trim() : '';
    const isOther = type !== '' && type !== responseSubmitted;
    return {
      eventId: readEventId(event['event_id']),
      reportedAt: dates.moment.parse(event['event_date'])?.getTime() ?? null,
      reported: isOther ? undefined : readReported(event['data'], readResponse),
    };
  };
}

type ReadResponse = (fields: Fields) => QuizResponse | undefined;

function parseObject(text: string): Fields {
  let json: unknown;
  try {
    json = parseFromOutside(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new MalformedEventError('the body is not JSON');
  }
  if (!isObject(json)) throw new MalformedEventError('the body is not a JSON object');
  return json;
}

function readEventId(value: unknown): string | undefined {
  // A larger number has lost digits: two events could have the same.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const id = value.trim();
  if (!isSafeId(id)) throw new MalformedEventError('event_id cannot be an id');
  return id;
}

function readReported(data: unknown, readResponse: ReadResponse): ReportedResponse {
  if (!isObject(data)) throw new MalformedEventError('data is not a response');
  const [quizId, responseId] = [readId(data, 'quiz_id'), readId(data, 'response_id')];
  const response = readResponse({ ...announcedFields(data), quiz_id: quizId, response_id: responseId });
  const submitted = data['date_submitted'];
  return {
    quizId,
    responseId,
    isNotSubmitted: notSubmitted.has(textOf(data['status']).trim().toLowerCase()),
    submittedText: typeof submitted === 'string' || typeof submitted === 'number' ? String(submitted) : '',
    response,
    questions: questionList.parse(data['questions']),
  };
}

function readId(data: Fields, field: 'quiz_id' | 'response_id'): string {
  const value = data[field];
  if (value === undefined || value === null || value === '') throw new MalformedEventError(`data has no ${field}`);
  const id =
    typeof value === 'number' && Number.isSafeInteger(value)
      ? String(value)
      : typeof value === 'string'
        ? value.trim()
        : '';
  if (!isSafeId(id)) throw new MalformedEventError(`${field} cannot be an id`);
  return id;
}

const notSubmitted = new Set(['not_started', 'not_submitted']);

/** What an announcement can need. Reading the other fields would only cost time and memory. */
const announced = [
  'quiz_name',
  'first_name',
  'last_name',
  'email_address',
  'user_id',
  'user_name',
  'date_submitted',
  'points',
  'available_points',
  'percentage_score',
  'grade',
  'pass',
  'duration',
  'attempt',
  'status',
  'registration_fields',
  'response_report_url',
];

function announcedFields(data: Fields): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of announced) if (Object.hasOwn(data, name)) fields[name] = bounded(data[name], 3);
  return fields;
}

const [longestText, mostItems] = [2_000, 50];

/** A copy without what no service would send in a field: long texts and lists, and deep nesting. */
function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, longestText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => bounded(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostItems)
      .map(([name, item]) => [name.slice(0, longestText), bounded(item, depth - 1)]),
  );
}

/** The id of an event without one: the same for every delivery of the same parts. */
function derivedId(...parts: readonly string[]): string {
  return `derived:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

/**
 * Creates the function that turns a webhook's body into an event. What the signature does not cover is a hint: it names a
 * response and does not make it known, since the service may not know the response and the backfill would pass over it.
 * A response of which the webhook does not say whether it is submitted is a hint too.
 *
 * An event without an id gets one that is the same for every delivery: from the signed id of the delivery, otherwise from
 * the response, the date of its submission and its result, and for other types of event from the body.
 *
 * @param timeZone that of the account's dates
 * @returns throws a `MalformedEventError`
 */
export function createEventParser(timeZone: string): (body: string, delivery: Delivery) => ReportedEvent {
  const readBody = createWebhookReader(timeZone);
  return (body, delivery) => eventOf(body, readBody(body), delivery);
}

/** An event with the questions and answers that came with its submission, which are not kept with it. */
export type ReportedEvent = NewEvent & { questions?: readonly Question[] };

interface Delivery {
  /** Whether the signature covers the body. */
  isTrusted: boolean;
  /** Default: where the users are not known, only an ID says it. */
  whose?: WhoseAttempt;
  /** Milliseconds since the epoch. */
  takenAt: number;
  /** The id of the delivery, where the signature covers it. */
  messageId?: string | undefined;
}

function eventOf(
  body: string,
  { eventId, reportedAt, reported }: WebhookBody,
  { isTrusted, whose = whoseAttemptAmong([]), takenAt, messageId }: Delivery,
): ReportedEvent {
  if (eventId !== undefined && isOwnId(eventId))
    throw new MalformedEventError('event_id has a prefix that only the bot uses');
  const content = reported && contentOf(reported, isTrusted, whose);
  const subject =
    reported && content?.kind === 'submission'
      ? subjectOf({ quiz_id: reported.quizId, response_id: reported.responseId })
      : '';
  const ownId = () => {
    if (messageId !== undefined) return derivedId('delivery', messageId);
    // A hint and a signed webhook never share an id: nobody can use up the id of a webhook to come.
    const trust = isTrusted ? 'signed' : 'hint';
    const figures = content?.kind === 'submission' ? [toldBy(content, null).result ?? ''] : [];
    const about = reported ? [reported.quizId, reported.responseId, reported.submittedText, ...figures] : [body];
    return derivedId(trust, ...about);
  };
  const id = eventId ?? ownId();
  const { questions = [] } = content?.kind === 'submission' ? reported! : {};
  return {
    id,
    subject,
    isBackfilled: false,
    takenAt,
    content,
    ...toldBy(content, reportedAt),
    questions: questions.length > 0 ? questions : undefined,
  };
}

function contentOf(
  { quizId, responseId, isNotSubmitted, response }: ReportedResponse,
  isTrusted: boolean,
  whose: WhoseAttempt,
): EventContent | undefined {
  if (isTrusted && isNotSubmitted) return undefined;
  if (isTrusted && response && isSubmitted(response)) return submissionContent(response, whose, false);
  return { kind: 'hint', quizId, responseId };
}

/** What an event says of its response, for the store. */
function toldBy(content: EventContent | undefined, reportedAt: number | null): Pick<NewEvent, 'result'> {
  if (content?.kind !== 'submission') return {};
  return { result: textOfKnown(knownSubmission(content.submission, reportedAt)) };
}

/** The response that an event reports: the same text in every event about it. */
export function subjectOf(response: Pick<QuizResponse, 'quiz_id' | 'response_id'>): string {
  return `${response.quiz_id}/${response.response_id}`;
}

/** Why the bot makes an event itself: no webhook came for a response, or only a hint, which the service has confirmed. */
type SyntheticKind = 'backfilled' | 'confirmed';

/**
 * The event that a webhook of a submitted response would have been. A backfilled one has the same id for each response; what
 * was confirmed once may be confirmed with another result later.
 */
export function syntheticEvent(
  kind: SyntheticKind,
  response: SubmittedResponse,
  takenAt: number,
  whose = whoseAttemptAmong([]),
): NewEvent {
  const isBackfilled = kind === 'backfilled';
  const content = submissionContent(response, whose, isBackfilled);
  const id = `${kind}:${response.quiz_id}:${response.response_id}`;
  return {
    id: isBackfilled ? id : `${id}:${takenAt}`,
    subject: subjectOf(response),
    isBackfilled,
    takenAt,
    content,
    ...toldBy(content, null),
  };
}

function isOwnId(id: string): boolean {
  return ['backfilled:', 'confirmed:', 'derived:'].some((prefix) => id.startsWith(prefix));
}

function submissionContent(response: SubmittedResponse, whose: WhoseAttempt, isBackfilled: boolean): EventContent {
  const { response_report_url: reportUrl } = response;
  const userId = whose(response);
  const respondent =
    userId && isSafeId(userId)
      ? { respondent: { userId: stored(userId), ...(reportUrl !== null && { reportUrl: stored(reportUrl) }) } }
      : {};
  return {
    kind: 'submission',
    submission: submissionOf({ ...response, user_id: userId ?? null }, isBackfilled),
    ...respondent,
  };
}
