import { parseFromOutside } from '../../domain/said.ts';
import { createHash } from 'node:crypto';
import { InvigilatorError } from '../../domain/errors.ts';
import { accountDatesIn } from '../../quiz-api/account-dates.ts';
import { textOf } from '../../quiz-api/fields.ts';
import { responseSchemaOf, type QuizResponse } from '../../quiz-api/responses.ts';

/** The type of event that is announced. The others are taken, counted and left. */
const responseSubmitted = 'response.submitted';

/** The body is not an event. The message is one short sentence of the bot's own words: nothing that was sent is in it. */
export class MalformedEventError extends InvigilatorError {
  readonly code = 'malformed_event';
}

type Fields = Readonly<Record<string, unknown>>;

/** A webhook's body, as far as the bot needs it. */
export interface WebhookBody {
  /** Undefined where the service sends none that can be used. */
  eventId: string | undefined;
  /** When the service says that it happened, in milliseconds since the epoch; null where it does not. */
  reportedAt: number | null;
  /** Undefined for the types of event that the bot leaves. */
  reported: ReportedResponse | undefined;
}

/** The response that a webhook reports. */
export interface ReportedResponse {
  quizId: string;
  responseId: string;
  /** The webhook says so. Where it says neither this nor that the response is submitted, the service has to be asked. */
  isNotSubmitted: boolean;
  /** The date of the submission as it was sent. */
  submittedText: string;
  response: QuizResponse | undefined;
}

/**
 * Makes a function that reads a webhook's body. Only the ids of the response are required: a field that is not announced
 * must not lose a webhook. An event without a type is taken for the only type of event that the specification names.
 *
 * @param timeZone that of the account's dates
 * @returns throws a `MalformedEventError`
 */
export function createWebhookReader(timeZone: string): (text: string) => WebhookBody {
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
  if (!isFields(json)) throw new MalformedEventError('the body is not a JSON object');
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
  if (!isFields(data)) throw new MalformedEventError('data is not a response');
  const [quizId, responseId] = [readId(data, 'quiz_id'), readId(data, 'response_id')];
  const response = readResponse({ ...announcedFields(data), quiz_id: quizId, response_id: responseId });
  const submitted = data['date_submitted'];
  return {
    quizId,
    responseId,
    isNotSubmitted: notSubmitted.has(textOf(data['status']).trim().toLowerCase()),
    submittedText: typeof submitted === 'string' || typeof submitted === 'number' ? String(submitted) : '',
    response,
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

const longestId = 200;

/** Whether a text can be an id: a harmless segment of a path, and of a length that logs and keys can hold. */
export function isSafeId(text: string): boolean {
  return (
    text !== '' &&
    text.length <= longestId &&
    text.isWellFormed() &&
    text !== '.' &&
    !text.includes('..') &&
    !/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
  );
}

/** The id of an event without one: the same for every delivery of the same parts. */
export function derivedId(...parts: readonly string[]): string {
  return `derived:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
