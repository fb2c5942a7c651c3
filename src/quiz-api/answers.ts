import * as z from 'zod';
import { id } from './fields.ts';

/** The body of a successful answer, as undici gives it. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  text(): Promise<string>;
}

/** Reads the body of a successful answer into what the operation returns. */
export type ReadAnswer<T> = (body: AnswerBody) => Promise<T>;

/** The answer is JSON, but not the one that belongs here. */
export class Misfit extends Error {
  readonly field: string;

  constructor(fieldPath: readonly PropertyKey[], problem: string) {
    super(problem);
    this.field = formatFieldPath(fieldPath);
  }
}

/** The answer is no JSON; its beginning may tell what it is. */
export class NotJson extends Error {
  readonly text: string;

  constructor(text: string) {
    super('not JSON');
    this.text = text;
  }
}

/** Reads one value that fits the schema. */
export function one<T>(schema: z.ZodType<T>): ReadAnswer<T> {
  return async (body) => parse(schema, parseJson(await body.text()), []);
}

/** Reads the id of what was made or found. */
export function newId(field: string): ReadAnswer<string> {
  const read = one(z.object({ [field]: id }));
  return async (body) => (await read(body))[field] ?? '';
}

const readMessage = one(z.object({ message: z.string() }));

/** Reads the success message (section 2.6), which says nothing that the status did not. */
export async function done(body: AnswerBody): Promise<void> {
  await readMessage(body);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson(text);
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown, fieldPath: readonly PropertyKey[]): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Misfit([...fieldPath, ...(issue?.path ?? [])], issue?.message ?? 'does not fit');
}

function formatFieldPath(fieldPath: readonly PropertyKey[]): string {
  return fieldPath
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
