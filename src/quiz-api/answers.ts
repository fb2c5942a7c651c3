import * as z from 'zod';
import { InvigilatorError } from '../domain/errors.ts';
import { id } from './fields.ts';

/** The body of a successful answer, as undici gives it. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
}

/** Reads the body of a successful answer into what the operation returns. */
export type ReadAnswer<T> = (body: AnswerBody) => Promise<T>;

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
export function resourceOf<T>(schema: z.ZodType<T>): ReadAnswer<T> {
  return async (body) => parse(schema, parseJson(await body.text()), []);
}

/** Reads the id of a resource that was made or found. */
export function newId(field: string): ReadAnswer<string> {
  const read = resourceOf(z.object({ [field]: id }));
  return async (body) => (await read(body))[field] ?? '';
}

const readMessage = resourceOf(z.object({ message: z.string() }));

/** Reads the success message (section 2.6), which says nothing that the status does not. */
export async function done(body: AnswerBody): Promise<void> {
  await readMessage(body);
}

/** @throws {JsonSyntaxError} */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonSyntaxError(text);
  }
}

/**
 * Reads a value of the answer.
 *
 * @param fieldPath the value's own path in the answer
 * @throws {UnexpectedShapeError} for the first field that does not fit
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown, fieldPath: readonly PropertyKey[]): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UnexpectedShapeError([...fieldPath, ...(issue?.path ?? [])], issue?.message ?? 'does not fit');
}

function formatFieldPath(fieldPath: readonly PropertyKey[]): string {
  return fieldPath
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
