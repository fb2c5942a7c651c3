import {
  compactResponse,
  compactUser,
  createShareText,
  type ShareText,
  type ListOf,
  type ReadList,
} from './read-list.ts';
import {
  copiedQuiz,
  newQuiz,
  quizChanges,
  quizSchemaOf,
  assignedQuizSchemaOf,
  newUser,
  userChanges,
  userSchemaOf,
  userWithResultsSchemaOf,
  usualUserOf,
  groupSchema,
} from './records.ts';
import { listedResponseSchemaOf, questionSchema, withQuizId } from './responses.ts';
import type * as z from 'zod';
import { type AccountDates, isId } from './fields.ts';
import { readDone, readFoundId, readNewId, readResource, type ReadAnswer } from './answers.ts';
import type { DownloadedFile } from './download.ts';
import { failedFor } from './errors.ts';
import type { CallOptions, ServiceCall, Transport } from './transport.ts';

/** An operation of the specification's section 4, as data. `createCalls` makes the method of the client from it. */
export interface Endpoint {
  method: ServiceCall['method'];
  /** Below the service's address, with the names of the ids in braces: each is an argument of the method. */
  path: `/v1/${string}`;
  /** The fields of the form, in one argument; where the form has a single field, its name, and the argument is the value. */
  form?: string | z.ZodObject;
  answer: Answer<never, unknown>;
  /** Whether the account is different afterwards. */
  changes?: true;
  /** Whether a second request changes nothing more; true for a GET, otherwise false unless given. */
  isIdempotent?: true;
}

/** What calls are made with. */
interface CallParts {
  transport: Transport;
  readList: ReadList;
  dates: AccountDates;
}

/**
 * Makes the calls of an endpoint and reads its answers. `Options` are the arguments of the method behind those that the
 * request needs.
 */
type Answer<Options extends readonly unknown[], Value> = (
  parts: CallParts,
) => (call: ServiceCall, ids: readonly string[], ...options: Options) => Promise<Value>;

type PlainAnswer<Value> = Answer<[options?: CallOptions], Value>;
type SchemaOf<Item> = (dates: AccountDates) => z.ZodType<Item>;

function readWith<Value>(read: ReadAnswer<Value>): PlainAnswer<Value> {
  return ({ transport }) =>
    async (call, _ids, options) =>
      transport.call({ ...call, read }, options);
}

/** Says only that the change is done. */
const done: PlainAnswer<void> = readWith(readDone);

/** The id of what was made; null when the service does not say it. */
function newId(field: string): PlainAnswer<string | null> {
  return readWith(readNewId(field));
}

/** The id of what was looked for; null when the service refuses to look for it, or answers without an id. */
function foundId(field: string): PlainAnswer<string | null> {
  const find = readWith(readFoundId(field));
  return (parts) => {
    const call = find(parts);
    return async (...given) =>
      call(...given).catch((error: unknown) => {
        if (isNobody(error)) return null;
        throw error;
      });
  };
}

/** The specification does not say how the service answers for a name that nobody has. Real accounts answer 404, 400 or 422. */
function isNobody(error: unknown): boolean {
  if (!failedFor(error, 'gone', 'bad request')) return false;
  return error.isFromService && [400, 404, 422].includes(error.status ?? 0);
}

/**
 * A single resource.
 *
 * @param complete adds what the ids of the path say
 */
function one<Item>(
  schemaOf: SchemaOf<Item>,
  complete: (item: Item, ids: readonly string[]) => Item = (item) => item,
): PlainAnswer<Item> {
  return ({ transport, dates }) => {
    const read = readResource(schemaOf(dates));
    return async (call, ids, options) => complete(await transport.call({ ...call, read }, options), ids);
  };
}

/**
 * All records of a list. The method takes a function that returns the record which the caller has already, if it is equal.
 *
 * @param records.usualOf returns a record that needs no schema; undefined for the others
 * @param records.keep returns what memory keeps of a record
 */
function listOf<Item>(
  records: Pick<ListOf<Item>, 'list' | 'isPart'> & {
    schemaOf: SchemaOf<Item>;
    usualOf?: (dates: AccountDates) => (value: unknown) => Item | undefined;
    keep?: (record: Item, share: ShareText, ids: readonly string[]) => Item;
  },
): Answer<[options?: CallOptions, known?: (record: Item) => Item | undefined], Item[]> {
  const { list, isPart, schemaOf, usualOf, keep = (record) => record } = records;
  return ({ readList, dates }) => {
    const [schema, usual] = [schemaOf(dates), usualOf?.(dates)];
    return async (call, ids, options, known = () => undefined) => {
      const share = createShareText();
      const kept = (record: Item) => known(record) ?? keep(record, share, ids);
      return readList({ ...call, list, isPart, schema, usual, keep: kept }, options);
    };
  };
}

/** The largest uploaded file, unless the caller allows more. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * The content of a file.
 *
 * The stream fails beyond `maxBytes` (64 MiB unless given); the call itself fails when the
 * service announces more. Read the stream to its end or destroy it: it holds a connection.
 */
const file: Answer<[options?: CallOptions & { maxBytes?: number | undefined }], DownloadedFile> =
  ({ transport }) =>
  async (call, _ids, options = {}) =>
    transport.download({ ...call, maxBytes: options.maxBytes ?? defaultMaxBytes }, options);

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

/** Makes the methods of a table. Each fails with a `QuizApiError`; for an unknown id because it is gone. */
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

/** A change that a second request does not repeat. */
const idempotentChange = { answer: done, changes: true, isIdempotent: true } as const;

/**
 * Every operation of the specification's section 4. The client's methods and the labels of metrics come from here. Deleting
 * is not idempotent: the second request is answered with 404.
 */
export const endpoints = {
  quizzes: {
    list: { method: 'GET', path: '/v1/quizzes', answer: listOf({ list: 'quizzes', schemaOf: quizSchemaOf }) },
    get: { method: 'GET', path: '/v1/quizzes/{quiz_id}', answer: one(quizSchemaOf) },
    /** Not retried when the service may have created the quiz. */
    create: { method: 'POST', path: '/v1/quizzes', form: newQuiz, answer: newId('quiz_id'), changes: true },
    /** Renames, opens or closes a quiz (section 3.1). Changes only the fields that are given. */
    update: { method: 'POST', path: '/v1/quizzes/{quiz_id}', form: quizChanges, ...idempotentChange },
    delete: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}', answer: done, changes: true },
    /** Not retried when the service may have made the copy. */
    copy: {
      method: 'POST',
      path: '/v1/quizzes/{quiz_id}/copy',
      form: copiedQuiz,
      answer: newId('quiz_id'),
      changes: true,
    },
    /** The groups that the quiz is assigned to. */
    groups: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/groups',
      answer: listOf({ list: 'groups', isPart: true, schemaOf: () => groupSchema }),
    },
    assignGroup: { method: 'POST', path: '/v1/quizzes/{quiz_id}/groups', form: 'group_id', ...idempotentChange },
    unassignGroup: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}/groups', form: 'group_id', ...idempotentChange },
  },

  responses: {
    /** All responses to a quiz, including those that are not submitted yet. */
    list: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses',
      answer: listOf({
        list: 'responses',
        schemaOf: listedResponseSchemaOf,
        keep: (response, share, ids) => compactResponse(withQuizId(response, ids), share),
      }),
    },
    get: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses/{response_id}',
      answer: one(listedResponseSchemaOf, withQuizId),
    },
    delete: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}/responses/{response_id}', answer: done, changes: true },
    /** The questions of the quiz with the respondent's answers. */
    questions: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses/{response_id}/questions',
      answer: listOf({ list: 'questions', schemaOf: () => questionSchema }),
    },
    /** A file that the respondent uploaded; its id comes from a question's `files`. */
    file: { method: 'GET', path: '/v1/quizzes/{quiz_id}/responses/{response_id}/files/{file_id}', answer: file },
  },

  users: {
    list: {
      method: 'GET',
      path: '/v1/users',
      answer: listOf({ list: 'users', schemaOf: userSchemaOf, usualOf: usualUserOf, keep: compactUser }),
    },
    /** A user with the results of the assigned quizzes. */
    get: { method: 'GET', path: '/v1/users/{user_id}', answer: one(userWithResultsSchemaOf) },
    /** The id of the user with this login name. */
    find: { method: 'POST', path: '/v1/users/find', form: 'user_name', answer: foundId('user_id'), isIdempotent: true },
    /** Not retried when the service may have created the user. */
    create: { method: 'POST', path: '/v1/users', form: newUser, answer: newId('user_id'), changes: true },
    /** Changes only the fields that are given. */
    update: { method: 'POST', path: '/v1/users/{user_id}', form: userChanges, ...idempotentChange },
    delete: { method: 'DELETE', path: '/v1/users/{user_id}', answer: done, changes: true },
    /** The quizzes assigned to a user. */
    quizzes: {
      method: 'GET',
      path: '/v1/users/{user_id}/quizzes',
      answer: listOf({ list: 'quizzes', isPart: true, schemaOf: assignedQuizSchemaOf }),
    },
    assignQuiz: { method: 'POST', path: '/v1/users/{user_id}/quizzes', form: 'quiz_id', ...idempotentChange },
    unassignQuiz: { method: 'DELETE', path: '/v1/users/{user_id}/quizzes', form: 'quiz_id', ...idempotentChange },
    assignGroup: { method: 'POST', path: '/v1/users/{user_id}/groups', form: 'group_id', ...idempotentChange },
    unassignGroup: { method: 'DELETE', path: '/v1/users/{user_id}/groups', form: 'group_id', ...idempotentChange },
  },

  groups: {
    list: { method: 'GET', path: '/v1/groups', answer: listOf({ list: 'groups', schemaOf: () => groupSchema }) },
  },
} as const satisfies Record<string, Record<string, Endpoint>>;

const rows = Object.entries(endpoints).flatMap(([resource, named]) =>
  Object.entries<Endpoint>(named).map(([name, row]) => ({ call: `${resource}.${name}`, ...row })),
);

/** The methods of the client, for example `quizzes.get`. Logs and metrics name calls like this. */
export const callNames: readonly string[] = rows.map(({ call }) => call);

/** The methods of the client that change the account, for example `quizzes.update`. */
export const changingCalls: ReadonlySet<string> = new Set(rows.filter((row) => row.changes).map(({ call }) => call));
