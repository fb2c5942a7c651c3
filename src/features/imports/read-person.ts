import { createUser } from '../users/create-user.ts';
import { withoutAddedApostrophes } from '../../operations/csv.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { AnyContext, OperationContext } from '../../operations/context.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import { splitList } from '../../operations/typed-text.ts';
import { userFlags } from '../users/user-options.ts';
import type { Column, Columns } from './columns.ts';
import type { CsvRow } from './csv-table.ts';

/** A row of a file, as the person who wrote it means it. Empty texts and lists: the row does not say. */
export interface PersonRow {
  firstName: string;
  lastName: string;
  userName: string;
  emailAddress: string;
  userType: string | undefined;
  flags: readonly string[];
  /** The cell as it was written, which names one thing or several. */
  groups: string;
  quizzes: string;
}

/** Cells that hold what no name and no address has. Line breaks separate groups and quizzes. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;

/**
 * Reads a row by the rules of the form in which a single user is created, and with its sentences.
 *
 * @throws {InvalidInputError} whose field is the one of `create-user`; empty for the row as a whole
 */
export async function readPerson(
  row: CsvRow,
  columns: Columns,
  width: number,
  resolver: OperationContext,
): Promise<PersonRow> {
  if (row.cells.length > width)
    throw new InvalidInputError(
      '',
      `The row has ${row.cells.length} cells, and the first row of the file has ${width}.`,
    );
  const textOf = (column: Column) => cellText(row, columns, column);
  const [givenFirst, givenLast] = namesOf(textOf);
  return {
    firstName: await resolved<string>('first_name', givenFirst, resolver),
    lastName: await resolved<string>('last_name', givenLast, resolver),
    userName: await resolved<string>('user_name', textOf('user_name'), resolver),
    emailAddress: await resolved<string>('email_address', textOf('email_address'), resolver),
    userType: (await resolved<string>('user_type', textOf('user_type'), resolver)) || undefined,
    flags: await flagsOf(textOf, resolver),
    groups: textOf('groups'),
    quizzes: textOf('quizzes'),
  };
}

function cellText({ cells }: CsvRow, { places, isResult }: Columns, column: Column): string {
  const written = cells[places.get(column) ?? -1] ?? '';
  return (isResult ? withoutAddedApostrophes(written) : written).trim();
}

/** A whole name is split as on the command line: the first word is the first name. Behind a comma comes the first name. */
function namesOf(textOf: (column: Column) => string): [first: string, last: string] {
  const parts = [textOf('first_name'), textOf('last_name')] as const;
  const whole = textOf('name');
  if (whole === '' || parts.some((part) => part !== '')) return [...parts];
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(whole) ?? [];
  if (last !== undefined && first !== undefined) return [first, last.trim()];
  const [, word = whole, rest = ''] = /^(\S+)\s+(.+)$/s.exec(whole) ?? [];
  return [word, rest];
}

/** What a field of `create-user` makes of a text; empty for an empty one. */
async function resolved<V extends Value & (string | string[])>(
  name: string,
  text: string | readonly string[],
  resolver: OperationContext,
): Promise<V> {
  const field = createUser.fields[name] as Field;
  const texts = typeof text === 'string' ? [text] : text;
  const isList = typeof text !== 'string';
  if (texts.every((each) => each === '')) return (isList ? [] : '') as unknown as V;
  if (texts.some((each) => unreadable.test(each)))
    throw new InvalidInputError(name, `${field.label}: There’s a line break or an invisible character in it.`);
  // The fields of a new user use no services.
  const value = await kindOf(field).resolve(texts, field, resolver as AnyContext);
  if (value.kind === 'value') return value.value as V;
  throw new InvalidInputError(
    name,
    `${field.label}: ${value.kind === 'invalid' ? value.message : 'It fits several things.'}`,
  );
}

const yes = new Set(['yes', 'y', 'true', '1', 'x', 'on']);
const no = new Set(['', 'no', 'n', 'false', '0', 'off', '-']);

/** Rights as a list in one cell, or with a column each. */
async function flagsOf(textOf: (column: Column) => string, resolver: OperationContext): Promise<string[]> {
  const listed = await resolved<string[]>('flags', splitList(textOf('flags').replaceAll('|', ',')), resolver);
  const ticked = userFlags.filter(({ value, label }) => {
    const typed = textOf(value).toLowerCase();
    if (!yes.has(typed) && !no.has(typed)) throw new InvalidInputError('flags', `${label}: Enter yes or no.`);
    return yes.has(typed);
  });
  return [...listed, ...ticked.map(({ value }) => value)];
}
