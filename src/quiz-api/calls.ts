import type * as z from 'zod';
import type { CallParts, Endpoint } from './endpoint.ts';
import { isId } from './fields.ts';

type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** One argument for each id in a path. */
type IdsIn<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...IdsIn<Rest>] : [];

type FormOf<Row> = Row extends { form: infer Form extends z.ZodObject }
  ? [fields: z.input<Form>]
  : Row extends { form: string }
    ? [value: string]
    : [];

/** The method of a row, by the types of its data: the ids of the path, the form, and what the answer takes. */
type CallOf<Row extends Endpoint> =
  ReturnType<Row['answer']> extends (call: never, ids: never, ...options: infer Options) => infer Value
    ? (...given: [...IdsIn<Row['path']>, ...FormOf<Row>, ...Options]) => Value
    : never;

/** A method for each row of a table, under the name of its resource. */
export type CallsOf<Table extends Endpoints> = {
  readonly [Resource in keyof Table]: {
    readonly [Name in keyof Table[Resource]]: CallOf<Table[Resource][Name]>;
  };
};

/** Makes the methods of a table. Each fails with a `QuizApiError`; an unknown id is a `NotFoundError`. */
export function createCalls<const Table extends Endpoints>(table: Table, parts: CallParts): CallsOf<Table> {
  return mapValues(table, (rows, resource) =>
    mapValues(rows, (row, name) => createCall(`${resource}.${name}`, row, parts)),
  ) as CallsOf<Table>;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

function createCall(operation: string, row: Endpoint, parts: CallParts): unknown {
  const { method, path, form, isIdempotent } = row;
  const idCount = path.split('{').length - 1;
  const run = row.answer(parts);
  return async (...given: unknown[]): Promise<unknown> => {
    const ids = given.splice(0, idCount) as string[];
    const filled = form === undefined ? undefined : fillForm(form, given.shift());
    const call = { operation, method, path: fillPath(path, ids), form: filled, isIdempotent };
    return run(call, ids, ...(given as never));
  };
}

/**
 * Puts the ids into the braces of a path. Each becomes exactly one segment.
 *
 * @throws {TypeError} for an id that no encoding makes safe: empty, `.`, `..` (URL parsers resolve
 *   them even when percent-encoded), or text that is not well-formed Unicode
 */
export function fillPath(path: string, ids: readonly string[]): string {
  const left = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => encodeSegment(left.shift() ?? ''));
}

function encodeSegment(value: string): string {
  if (!isId(value)) throw new TypeError(`${JSON.stringify(value)} cannot be an id`);
  return encodeURIComponent(value);
}

/** The fields that are given, of those that the form has. */
function fillForm(form: string | z.ZodObject, given: unknown): Record<string, string> {
  if (typeof form === 'string') return { [form]: given as string };
  const fields = Object.entries(given as Readonly<Record<string, string | boolean | undefined>>);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === undefined || !(name in form.shape) ? [] : [[name, String(value)]])),
  );
}
