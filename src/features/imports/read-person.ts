import { asSaid, say, shortName } from '../../domain/said.ts';
import { nameWithoutAddresses } from '../../domain/record-names.ts';
import { createUser } from '../users/create-user.ts';
import { withoutAddedApostrophes } from '../../operations/table-file.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { OperationContext } from '../../operations/context.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import { isFullAddress } from '../../domain/address.ts';
import { splitList } from '../../operations/typed-text.ts';
import { userFlags } from '../../operations/wording/words.ts';
import { type Columns, looksLikePassword } from './columns.ts';
import type { Column } from './titles.ts';
import type { CsvRow } from './csv-table.ts';
import { unreadableLetter, beforeDoubleEncoding } from './letters.ts';

/** A row of a file, as the person who wrote it means it. Empty texts and lists: the row does not say. */
export type PersonRow = Awaited<ReturnType<typeof readPerson>>;

/** The name in a row. `written`: as the row has it, where the bot took it apart. */
export interface NameInRow extends PersonName {
  written?: string;
}

/** Cells that hold what no name and no address has. Line breaks separate groups and quizzes. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;

/**
 * Reads a row by the rules of the form in which a single user is created, and with its sentences.
 *
 * @throws {InvalidInputError} whose field is the one of `create-user`; empty for the row as a whole
 */
export async function readPerson(row: CsvRow, columns: Columns, width: number, resolver: OperationContext) {
  if (row.cells.length > width)
    throw new InvalidInputError(
      '',
      say`The row has ${row.cells.length} cells, and the first row of the file has ${width}.`,
    );
  if (row.cells.some((cell) => cell.includes(unreadableLetter)))
    throw new InvalidInputError(
      '',
      say`The bot can’t read a letter in this row and shows it as “�”. Correct the row, save the list as UTF-8 (in Excel: “CSV UTF-8”), then try again.`,
    );
  const textOf = (column: Column) => cellText(row, columns, column);
  const { first, last } = nameInRow(row, columns);
  refuseBroken([...columns.places.keys()].map(textOf), [first, last]);
  return {
    firstName: await nameOf('first_name', first, resolver),
    lastName: await nameOf('last_name', last, resolver),
    userName: await userNameOf(cleanAddress(textOf('user_name')), resolver),
    emailAddress: await addressOf(cleanAddress(mailParts(textOf('email_address')).address), resolver),
    userType: (await resolved<string>('user_type', textOf('user_type'), resolver)) || undefined,
    flags: await flagsOf(textOf, resolver),
    // The cell as it was written, which names one thing or several.
    groups: textOf('groups'),
    quizzes: textOf('quizzes'),
  };
}

/** The user name in a row, whatever else is wrong with it. */
export function userNameOfRow(row: CsvRow, columns: Columns): string {
  return cleanAddress(cellText(row, columns, 'user_name'));
}

/** Signs that stand in a name where another program lost or mistook a letter. */
const brokenName = /\p{L}\?|\?\p{L}|(?![\0-\x7F])[\p{Sc}\p{Sm}\p{No}¡¦§¨®¯¶¸¿†‡‰]/u;

/** @throws {InvalidInputError} where a program before the bot has broken letters */
function refuseBroken(cells: readonly string[], names: readonly string[]): void {
  const again = say`Correct the row, then try again.`;
  for (const cell of cells) {
    const before = beforeDoubleEncoding(cell);
    const broken = say`Another program broke the letters of “${shortName(cell, 80)}”, which may be “${shortName(before ?? '', 80)}”.`;
    if (before !== undefined) throw new InvalidInputError('', `${broken} ${again}`);
  }
  const broken = names.find((name) => brokenName.test(name) && !looksLikePassword(name));
  if (broken === undefined) return;
  const lost = say`“${shortName(broken, 80)}” isn’t a name: another program lost letters of it.`;
  throw new InvalidInputError('', `${lost} ${again}`);
}

/** The first and last name in the columns for them, or in the one for the whole name. */
export function nameInRow(row: CsvRow, columns: Columns): NameInRow {
  const textOf = (column: Column) => cellText(row, columns, column);
  const last = [textOf('last_name_prefix'), textOf('last_name'), textOf('second_last_name')].filter(Boolean).join(' ');
  const parts = { first: textOf('first_name'), last };
  if (parts.first !== '' || parts.last !== '') {
    const tidied = tidyParts(parts);
    const written = `${parts.first} ${parts.last}`.trim();
    return `${tidied.first} ${tidied.last}`.trim() === written ? tidied : { ...tidied, written };
  }
  const [whole, order] = [
    [textOf('name'), 'first last'] as const,
    [textOf('name_last_first'), 'last first'] as const,
    [mailParts(textOf('email_address')).name, 'first last'] as const,
  ].find(([text]) => text !== '') ?? ['', 'first last'];
  return whole === '' ? { first: '', last: '' } : { ...splitName(whole, order), written: whole };
}

/** What people call the person of a row, whatever else is wrong with it; empty where there is no name. */
export function personOfRow(row: CsvRow, columns: Columns): string {
  const { first, last } = nameInRow(row, columns);
  const isShown = ![first, last].some((part) => looksLikePassword(part));
  return isShown ? shortName(nameWithoutAddresses(first, last), 80) : '';
}

function cellText({ cells }: CsvRow, { places, isResult }: Columns, column: Column): string {
  const written = cells[places.get(column) ?? -1] ?? '';
  const text = (isResult ? withoutAddedApostrophes(written) : written).trim();
  // How Excel keeps the zeros of a text.
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text;
}

/** An address or a user name without what surely is no part of it: marks around it, ends of a list, Excel’s mark of a text. */
function cleanAddress(text: string): string {
  const cleaned = text.replaceAll(/^[\s"'“”„‘’<(\u00A0]+|[\s"“”’>),;\u00A0]+$/g, '');
  return cleaned.includes('@') ? cleaned.replaceAll(/[.']+$/g, '') : cleaned;
}

/** What Excel makes of a long number, and of a formula that fails. */
const destroyed = /^\d(?:[.,]\d+)?E[+-]\d+$|^#(?:[\p{Lu}¡]+[!?]|N\/[AD]|NV|DIV\/0!)$/u;

async function userNameOf(text: string, resolver: OperationContext): Promise<string> {
  if (destroyed.test(text))
    throw new InvalidInputError(
      'user_name',
      say`A spreadsheet program replaced the user name by “${shortName(text, 80)}”. Enter it again in a column of text.`,
    );
  if (text.includes('@') && isFullAddress(text)) return addressOf(text, resolver, 'user_name');
  return resolved<string>('user_name', text, resolver);
}

/** “Meier, Anna <anna@example.com>”, as mail programs write addresses. */
function mailParts(cell: string): { address: string; name: string } {
  const [, name = '', address = cell] = /^"?([^"<>@]*)"?\s*<([^<>\s]+@[^<>\s]+)>$/.exec(cell) ?? [];
  return { address: address.replace(/^mailto:/i, ''), name: name.trim() };
}

async function addressOf(
  text: string,
  resolver: OperationContext,
  field: 'email_address' | 'user_name' = 'email_address',
): Promise<string> {
  try {
    // No mail server takes dots beside each other or at an end.
    if (/^\.|\.\.|\.@|@[.-]/.test(text)) throw new InvalidInputError(field, '');
    return await resolved<string>(field, text, resolver);
  } catch (error) {
    if (!(error instanceof InvalidInputError) || unreadable.test(text) || looksLikePassword(text)) throw error;
    throw new InvalidInputError(field, say`“${shortName(text, 80)}” isn’t an e-mail address.`);
  }
}

async function nameOf(field: 'first_name' | 'last_name', text: string, resolver: OperationContext): Promise<string> {
  if (looksLikePassword(text))
    throw new InvalidInputError(
      field,
      about(createUser.fields[field]?.label, say`This looks like a password, not like a name.`),
    );
  return resolved<string>(field, text, resolver);
}

/** What is wrong with one of several cells. */
function about(label = '', problem: string): string {
  return `${asSaid(label)}: ${problem}`;
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
    throw new InvalidInputError(name, about(field.label, say`There’s a line break or an invisible character in it.`));
  const value = await kindOf(field).resolve(texts, field, resolver);
  if (value.kind === 'value') return value.value as V;
  throw new InvalidInputError(
    name,
    about(field.label, value.kind === 'invalid' ? value.message : say`It fits several things.`),
  );
}

const yes = new Set(['yes', 'y', 'true', '1', 'x', 'on']);
const no = new Set(['', 'no', 'n', 'false', '0', 'off', '-']);
const isYes = (typed: string) => yes.has(typed) || meansOneOf(typed, ['yes']);
const isNo = (typed: string) => no.has(typed) || meansOneOf(typed, ['no']);

/** Rights as a list in one cell, or with a column each. */
async function flagsOf(textOf: (column: Column) => string, resolver: OperationContext): Promise<string[]> {
  const listed = await resolved<string[]>('flags', splitList(textOf('flags').replaceAll('|', ',')), resolver);
  const ticked = userFlags.filter(({ value, label }) => {
    const typed = textOf(value).toLowerCase();
    if (!isYes(typed) && !isNo(typed)) throw new InvalidInputError('flags', about(label, say`Enter yes or no.`));
    return isYes(typed);
  });
  return [...listed, ...ticked.map(({ value }) => value)];
}

/** A name as the service keeps it. */
interface PersonName {
  first: string;
  last: string;
}

/** Before a name, without dots and hyphens. */
const titles = new Set(
  `dr prof professor professorin med rer nat phil jur hc habil dipling diplkfm mr mrs ms mx miss herr frau mme mlle monsieur madame
  sra srta dna dhr mevr mw dott dottssa sigra drs dra `.split(/\s+/),
);
/** Titles that are names as well, unless they end with a dot. */
const dottedTitles = new Set('m d mr fr hr mag ing lic arch rev hon sig sr avv inz mgr pan pani dipl ir st'.split(' '));
const generations = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'jun', 'sen']);
/** Behind a name. Two letters are a name as well: they need dots, or a comma before them. */
const degrees = new Set('phd mba msc bsc llm llb cpa esq dds meng beng dphil ma ba md rn pe'.split(' '));
/** With which a last name begins. */
const particles = new Set(
  `van von vom der den de da do dos das del della dello di du des ter ten te zu zum zur la le bin binti ibn al el`.split(
    /\s+/,
  ),
);

/**
 * Splits a whole name: “Dr. Anna Meier” is Anna Meier, “Smith, John, Jr.” is John Smith Jr. Behind a comma comes the first
 * name. Without one, a particle (van, de la) or capital letters begin the last name; of four words, two are last names;
 * otherwise the first word is the first name, as on the command line.
 *
 * @param order of a name without a comma
 */
export function splitName(whole: string, order: 'first last' | 'last first' = 'first last'): PersonName {
  const text = withoutBrackets(whole);
  const parts = text.split(',').map(tidy).filter(Boolean);
  const [before = '', ...after] = parts;
  const isBehind = (part: string) =>
    part.split(' ').every((word) => generations.has(bare(word)) || degrees.has(bare(word)));
  const behind = after.filter(isBehind).flatMap((part) => part.split(' '));
  const names = after.filter((part) => !isBehind(part));
  const generation = behind.filter((word) => generations.has(bare(word)));
  if (names.length === 0) {
    const { first, last } = splitWords(before.split(' '), order);
    return { first, last: tidy([last, ...generation].join(' ')) };
  }
  const given = withoutEnds(tidy(names.join(' ')).split(' '));
  const family = withoutEnds(before.split(' '));
  return {
    first: given.words.join(' '),
    last: tidy([...family.words, ...family.generation, ...given.generation, ...generation].join(' ')),
  };
}

/** The first and last name of two columns, without titles and degrees. */
export function tidyParts({ first, last }: PersonName): PersonName {
  const given = withoutEnds(tidy(first).split(' '));
  const [family = '', ...behind] = last.split(',').map(tidy);
  const ofFamily = withoutEnds(family.split(' '));
  const generation = behind.filter((part) => generations.has(bare(part)));
  const others = behind.filter((part) => !generations.has(bare(part)) && !degrees.has(bare(part)));
  return {
    first: given.words.join(' '),
    last: tidy(
      [
        [...ofFamily.words, ...ofFamily.generation, ...given.generation, ...generation].join(' '),
        ...others.map((part) => `, ${part}`),
      ].join(''),
    ),
  };
}

function splitWords(all: readonly string[], order: 'first last' | 'last first'): PersonName {
  const { words, generation, hadTitle } = withoutEnds(all);
  const named = (first: readonly string[], last: readonly string[]): PersonName => ({
    first: first.join(' '),
    last: [...last, ...generation].join(' '),
  });
  // “Herr Meier” has no first name.
  const isLast = hadTitle || generation.length > 0 || order === 'last first';
  if (words.length === 1) return isLast ? named([], words) : named(words, []);
  const capitals = words.filter(isInCapitals);
  if (capitals.length > 0 && capitals.length < words.length && isTogether(words.map(isInCapitals)))
    return named(
      words.filter((word) => !isInCapitals(word)),
      capitals,
    );
  if (order === 'last first') {
    const end = words.findIndex((word) => !particles.has(bare(word))) + 1;
    return named(words.slice(end), words.slice(0, end));
  }
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && particles.has(bare(word)));
  const at = particle === -1 ? (words.length > 3 ? 2 : 1) : particle;
  return named(words.slice(0, at), words.slice(at));
}

/** The words of a name without titles before it and degrees behind it. A single word is always a name. */
function withoutEnds(all: readonly string[]): { words: string[]; generation: string[]; hadTitle: boolean } {
  const words = [...all];
  const generation: string[] = [];
  while (words.length > 1 && isTitle(words[0] ?? '')) words.shift();
  const hadTitle = words.length < all.length;
  while (words.length > 1) {
    const last = words.at(-1) ?? '';
    if (generations.has(bare(last))) generation.unshift(last);
    else if (!isDegree(last)) break;
    words.pop();
  }
  return { words, generation, hadTitle };
}

function isTitle(word: string): boolean {
  return titles.has(bare(word)) || (word.endsWith('.') && dottedTitles.has(bare(word))) || /^dipl[.-]/i.test(word);
}

function isDegree(word: string): boolean {
  return degrees.has(bare(word)) && (bare(word).length > 2 || word.includes('.'));
}

function isInCapitals(word: string): boolean {
  return /^(?=(?:.*\p{Lu}){3})[\p{Lu}\p{M}'’-]+$/u.test(word);
}

/** Whether what is true stands together, at the beginning or at the end. */
function isTogether(flags: readonly boolean[]): boolean {
  return flags.filter((flag, at) => at > 0 && flag !== flags[at - 1]).length === 1;
}

/** Nothing but what is in brackets stays as it is. */
function withoutBrackets(text: string): string {
  return tidy(text.replaceAll(/\([^()]*\)/g, ' ')) || tidy(text);
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[.-]/g, '');
}

function tidy(text: string): string {
  return text.replaceAll(/[ \u00A0]+/g, ' ').trim();
}
