import { parseFromOutside } from '../domain/said.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { InvigilatorError } from '../domain/errors.ts';
import { idOf, isObject, textOf } from './fields.ts';

/** The body of a successful answer, as undici gives it. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
}

/** Reads a successful answer into what the operation returns. */
export type ReadAnswer<T> = (body: AnswerBody, headers: IncomingHttpHeaders) => Promise<T>;

/** The answer is JSON of another shape than the operation expects. */
export class UnexpectedShapeError extends InvigilatorError {
  readonly code = 'unexpected_shape';
  readonly field: string;

  constructor(fieldPath: readonly PropertyKey[], problem: string) {
    super(problem);
    this.field = formatFieldPath(fieldPath);
  }
}

/** The answer is not JSON. */
export class JsonSyntaxError extends InvigilatorError {
  readonly code = 'not_json';
  readonly text: string;

  constructor(text: string) {
    super('not JSON');
    this.text = text;
  }
}

/** Reads a single resource. */
export function readResource<T>(schema: z.ZodType<T>): ReadAnswer<T> {
  return async (body) => {
    const result = schema.safeParse(parseJson(await body.text()));
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new UnexpectedShapeError(issue?.path ?? [], issue?.message ?? 'does not fit');
  };
}

/** Reads the id of a resource that was found, from JSON; null where the answer has none. */
export function readFoundId(field: string): ReadAnswer<string | null> {
  return async (body) => idIn(parseJson(await body.text()), field) ?? null;
}

/**
 * Reads the answer to a write, in which any status 2xx means that it is done: real accounts answer with the JSON of the
 * specification, with other JSON, with text or with nothing. Only a page of HTML comes from elsewhere, and JSON that says
 * it failed leaves open what was done.
 *
 * @throws {JsonSyntaxError | UnexpectedShapeError} for a page, and for a failure
 */
export async function readDone(body: AnswerBody): Promise<void> {
  readWritten(await body.text());
}

/**
 * Reads the id of a resource that was made: the answer's `field` or `id`, also inside `data`, or the last segment of the
 * `Location`. Null where the answer says no more than that it is done.
 *
 * @throws {JsonSyntaxError | UnexpectedShapeError} for a page, and for a failure
 */
export function readNewId(field: string): ReadAnswer<string | null> {
  return async (body, { location }) => idIn(readWritten(await body.text()), field) ?? lastSegment(location) ?? null;
}

function readWritten(text: string): unknown {
  if (isPage(text)) throw new JsonSyntaxError(text);
  const value = tryParseJson(text);
  const field = failureIn(value);
  if (field !== undefined) throw new UnexpectedShapeError([field], 'it says that the call failed');
  return value;
}

/** The field of an answer that says that the call failed, whatever its status is: `{"error": "…"}`, `{"message": "400: …"}`. */
function failureIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const says = (text: unknown) => /^\s*[45]\d\d\b/.test(textOf(text));
  if (value['success'] === false) return 'success';
  return (
    ['error', 'errors', 'Error'].find((field) => isGiven(value[field])) ??
    ['message', 'Message', 'status', 'statusCode', 'code'].find((field) => says(value[field]))
  );
}

/** Some services answer with an empty `error` where nothing is wrong. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function idIn(value: unknown, field: string): string | undefined {
  if (!isObject(value)) return undefined;
  const { data } = value;
  return (
    idOf(value[field]) ?? idOf(value['id']) ?? (isObject(data) ? (idOf(data[field]) ?? idOf(data['id'])) : undefined)
  );
}

/** The id in an address such as `/api/v1/users/9f1c`. */
function lastSegment(location: string | undefined): string | undefined {
  const segment = /\/v1\/(?:users|quizzes)\/([^/?#]+)$/.exec(location ?? '')?.[1];
  try {
    return segment === undefined ? undefined : idOf(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** @throws {JsonSyntaxError} */
export function parseJson(text: string): unknown {
  try {
    return parseFromOutside(withoutByteOrderMark(text));
  } catch {
    throw new JsonSyntaxError(text);
  }
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether a body is a page of HTML, which does not come from the service itself. */
export function isPage(text: string): boolean {
  return /^\s*</.test(withoutByteOrderMark(text));
}

function formatFieldPath(fieldPath: readonly PropertyKey[]): string {
  return fieldPath
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
