import { rightFlags } from '../../quiz-api/records.ts';
import { inEnglish, say, named, namedList } from '../../domain/said.ts';
import type { CsvProblem, CsvTable } from './csv-table.ts';
import {
  findAbsences,
  type AbsenceColumn,
  isJobTitle,
  isSecretTitle,
  mayHoldNames,
  plainTitle,
  columnWords,
  meaningOf,
  type Column,
  type Meaning,
} from './titles.ts';
import { isFullAddress } from '../../domain/address.ts';

/** The bot’s own columns in the files of an import, which people give back. */
export const resultColumns = [say`outcome`, say`user_id`, say`error`] as const;
export const readAsColumn = say`read_as`;

/** Also as they are called in the other languages. */
const ownTitles: ReadonlySet<string> = new Set(
  [
    ...[...resultColumns, readAsColumn].map(inEnglish),
    ...'ergebnis|nutzer id|fehler|gelesen als|resultado|id de usuario|error|leído como|résultat|id utilisateur|erreur|lu comme|uitkomst|gebruikers id|fout|gelezen als|wynik|id użytkownika|błąd|odczytano jako'.split(
      '|',
    ),
  ].map(plainTitle),
);

/** What a person can say that a column holds. Type and rights come only from columns that say so themselves. */
export const choosable = [
  'email_address',
  'first_name',
  'last_name',
  'second_last_name',
  'name',
  'name_last_first',
  'user_name',
  'groups',
  'quizzes',
] as const satisfies readonly Column[];

export type Choice = (typeof choosable)[number] | 'none';
/** What a person said that columns hold, by their places. */
export type Choices = ReadonlyMap<number, Choice>;

/** Where the columns of a table are, and what became of the others. */
export interface Columns {
  places: ReadonlyMap<Column, number>;
  /** Titles that mean nothing to the bot, as they were written. */
  unknown: readonly string[];
  /** Titles of columns with what people do, which gives no rights. */
  jobs: readonly string[];
  /** Titles of columns that could hold the type or rights of users, and hold something else. */
  withoutTypes: readonly string[];
  /** Titles of columns that another column makes needless. */
  unused: readonly { title: string; holds: Column; instead: string }[];
  /** The columns that say who is gone. */
  absences: readonly AbsenceColumn[];
  /** Titles of columns with passwords. */
  secret: readonly string[];
  /** The columns that a person can be asked about: all but the bot’s own and secret ones. */
  readable: readonly number[];
  /** The columns that are stored and that the result shows again: those whose title, or a person, says what they hold. */
  kept: readonly number[];
  /** The bot wrote the file: it has put apostrophes before formulas. */
  isResult: boolean;
  /** Why a person has to say what the columns hold, as a sentence; undefined where it is clear. */
  question?: string;
}

/** Whether a column with this title means something. */
export function isKnownTitle(title: string): boolean {
  return meaningOf(title) !== undefined || isOwnTitle(title);
}

function isOwnTitle(title: string): boolean {
  return ownTitles.has(plainTitle(title));
}

type Table = Pick<CsvTable, 'header' | 'rows'>;
interface Claim extends Meaning {
  place: number;
}

/** Finds the columns by their titles, in any order, or as a person has said. */
export function findColumns(table: Table, choices?: Choices): Columns | CsvProblem {
  const { header } = table;
  const all = [...header.keys()];
  const own = all.filter((place) => isOwnTitle(header[place] ?? ''));
  const secretTitles = all.filter((place) => isSecretTitle(header[place] ?? ''));
  const open = all.filter((place) => !own.includes(place) && !secretTitles.includes(place));
  const claims = open.flatMap((place): Claim[] => {
    const meaning = meaningAt(table, place, choices);
    return meaning ? [{ ...meaning, place }] : [];
  });
  const rivals = Map.groupBy(withParts(claims), ({ column }) => column);
  const places = new Map<Column, number>();
  const ties: string[] = [];
  for (const [column, its] of rivals) {
    const [best, next] = its.toSorted((a, b) => a.rank - b.rank || a.place - b.place);
    if (best === undefined) continue;
    places.set(column, best.place);
    if (next?.rank !== best.rank) continue;
    const both = say`The columns ${named(titleOf(header, best.place))} and ${named(titleOf(header, next.place))} both hold ${columnWords[column]}.`;
    if (!choosable.some((one) => one === column)) return { problem: `${both} ${say`Keep one of them.`}` };
    ties.push(both);
  }
  const flag = rightFlags.find((each) => places.has(each));
  if (places.has('flags') && flag)
    return {
      problem: say`The columns ${named(titleOf(header, places.get('flags')))} and ${named(titleOf(header, places.get(flag)))} both hold rights. Keep one of them.`,
    };

  const claimed = new Set([...claims.map(({ place }) => place), ...own, ...secretTitles]);
  const absences = findAbsences(header, (place) => cellsOf(table, place), claimed);
  const used = new Set([...places.values(), ...absences.map(({ place }) => place)]);
  const secretValues = open.filter((place) => !used.has(place) && areMostlyPasswords(cellsOf(table, place)));
  const readable = open.filter((place) => !secretValues.includes(place));
  const rest = readable.filter((place) => !used.has(place));
  const mail = rivals.get('email_address');
  const isOnlyPrivate =
    choices === undefined &&
    mail !== undefined &&
    mail.every(({ rank, place }) => rank === 3 && isFilled(table, place));
  const hasAddress = places.has('email_address') || places.has('user_name');
  if (!hasAddress && choices === undefined && !rest.some((place) => isFilled(table, place)))
    return { problem: missingAddress(header) };
  const question =
    ties[0] ??
    (hasAddress ? undefined : say`No column says that it has e-mail addresses or user names.`) ??
    (isOnlyPrivate
      ? say`${named(titleOf(header, mail[0]?.place))} seems to have private e-mail addresses.`
      : undefined) ??
    (choices === undefined ? missingNames(table, places, rest) : undefined);
  const titlesOf = (some: readonly number[]) => some.map((place) => titleOf(header, place));
  const unused = claims.filter(({ place, column }) => rest.includes(place) && places.has(column));
  const withoutTypes = rest.filter((place) => isOfRights(meaningOf(header[place] ?? '')?.column));
  const jobs = rest.filter((place) => isJobTitle(header[place] ?? ''));
  const told = new Set([...unused.map(({ place }) => place), ...withoutTypes, ...jobs]);
  return {
    places,
    absences,
    unknown: titlesOf(
      rest.filter(
        (place) =>
          !told.has(place) && choices?.get(place) !== 'none' && (header[place] !== '' || isFilled(table, place)),
      ),
    ),
    jobs: titlesOf(jobs),
    withoutTypes: titlesOf(withoutTypes),
    unused: unused.map(({ place, column }) => ({
      title: titleOf(header, place),
      holds: column,
      instead: titleOf(header, places.get(column)),
    })),
    secret: titlesOf([...secretTitles, ...secretValues].toSorted((a, b) => a - b)),
    readable,
    kept: readable.filter((place) => [...claims, ...absences].some((known) => known.place === place)),
    isResult: resultColumns.every((title) =>
      own.some((place) => plainTitle(header[place] ?? '') === plainTitle(inEnglish(title))),
    ),
    question,
  };
}

/** What people call a column, by its place. Its letter tells it from another of the same name. */
export function titleOf(header: readonly string[], place = -1): string {
  const title = header[place];
  if (!title) return say`column ${place + 1}`;
  const isAlone = header.filter((one) => plainTitle(one) === plainTitle(title)).length === 1;
  return isAlone ? title : `${title} (${say`column ${letterOf(place)}`})`;
}

/** As spreadsheets name it: A to Z, then AA. */
function letterOf(place: number): string {
  const before = Math.floor(place / 26);
  return (before > 0 ? letterOf(before - 1) : '') + String.fromCodePoint(65 + (place % 26));
}

export function cellsOf({ rows }: Table, place: number): string[] {
  return rows.map(({ cells }) => (cells[place] ?? '').trim());
}

function isFilled(table: Table, place: number): boolean {
  return cellsOf(table, place).some((cell) => cell !== '');
}

function isOfRights(column: Column | undefined): boolean {
  return (
    column !== undefined && ['user_type', 'flags', 'edit_quizzes', 'manage_users', 'manage_groups'].includes(column)
  );
}

/** What a column holds, by what a person said or by its title. Type and rights count only where the cells name them. */
function meaningAt(table: Table, place: number, choices: Choices | undefined): Meaning | undefined {
  const byTitle = meaningOf(table.header[place] ?? '');
  if (isOfRights(byTitle?.column)) return holdsRights(cellsOf(table, place), byTitle?.column) ? byTitle : undefined;
  const chosen = choices?.get(place);
  if (chosen !== undefined) return chosen === 'none' ? undefined : { column: chosen, rank: 0 };
  // An empty column has no say where another one has the same title.
  return byTitle && (isFilled(table, place) ? byTitle : { ...byTitle, rank: 3 });
}

function holdsRights(cells: readonly string[], column: Column | undefined): boolean {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0) return true;
  if (column === 'user_type') return filled.some((cell) => /^(?:respondent|trainer|administrator)$/i.test(cell));
  return column !== 'flags' || filled.some((cell) => /\b(?:edit|manage)[ _]/i.test(cell));
}

/** “Name” beside “Vorname” is the last name, and “Nombre” beside “Apellidos” the first. */
function withParts(claims: readonly Claim[]): Claim[] {
  const has = (column: Column) => claims.some((claim) => claim.column === column && claim.isPartOrWhole === undefined);
  return claims.map((claim) => {
    if (claim.isPartOrWhole === undefined || has('first_name') === has('last_name')) return claim;
    return { ...claim, column: has('first_name') ? 'last_name' : 'first_name' };
  });
}

/** Asks for names where there is none, or only a part, and a column may have the rest. */
function missingNames(table: Table, places: ReadonlyMap<Column, number>, rest: readonly number[]): string | undefined {
  if (places.has('name') || places.has('name_last_first')) return undefined;
  const lacksFirst = !places.has('first_name');
  const lacksLast = !places.has('last_name');
  if (!lacksFirst && !lacksLast) return undefined;
  const perhaps = rest.filter(
    (place) => mayHoldNames(table.header[place] ?? '') && areMostlyNames(cellsOf(table, place)),
  );
  if (perhaps.length === 0) return undefined;
  if (lacksFirst && lacksLast) return say`No column says that it has names.`;
  return lacksFirst ? say`No column says that it has first names.` : say`No column says that it has last names.`;
}

/** Letters in one to five words, and hardly a value twice. */
export function areMostlyNames(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const like = filled.filter((cell) => /^\p{Lu}[\p{L}\p{M}.'’-]*(?:,? [\p{L}\p{M}.'’-]+){0,5}$/u.test(cell));
  return like.length > filled.length * 0.8 && new Set(filled).size > filled.length * 0.7;
}

function missingAddress(header: readonly string[]): string {
  const found = header.filter((title) => title !== '');
  const has = found.length === 0 ? say`The first row is empty.` : say`The first row has ${namedList(found, 5)}.`;
  const missing = say`There’s no column with e-mail addresses. Call it “E-mail”, or “User name” if people sign in with something else.`;
  return `${missing} ${has}`;
}

const [shortest, longest] = [8, 64];
/** Signs that passwords have, and that numbers, dates, phone numbers, postal addresses and codes of jobs mostly lack. */
const sign = /[!#$%^&*?~=<>{}[\]\\|§€£@]/;
const mostly = 0.6;
/** Of a column, to judge it. */
const cellsRead = 200;

/**
 * Whether a text looks like a password that a person or a program made: one word of letters and digits with a sign or in a
 * random order.
 */
export function looksLikePassword(text: string): boolean {
  const kinds = kindsOf(text);
  if (kinds === undefined) return false;
  return kinds.count >= 3 ? sign.test(text) || kinds.turns >= 4 : isOfRandomLetters(text, kinds.turns);
}

/**
 * Whether the cells of a column look like passwords. A column is looked at less strictly than a cell: `Sommer2026` in most of
 * its rows is one.
 */
export function areMostlyPasswords(cells: readonly string[]): boolean {
  const filled = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .slice(0, cellsRead);
  const count = filled.filter((cell) => looksLikePassword(cell) || (kindsOf(cell)?.count ?? 0) >= 3).length;
  return count > 0 && count >= filled.length * mostly;
}

/** How many kinds of characters a single word has, and how often one follows another; undefined for what is no single word. */
function kindsOf(text: string): { count: number; turns: number } | undefined {
  if (text.length < shortest || text.length > longest || /\s/.test(text)) return undefined;
  if (isFullAddress(text) || /^(?:https?:|www\.|file:)/i.test(text) || isId(text)) return undefined;
  const kinds = Array.from(text, kindOf);
  const turns = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return { count: new Set(kinds.filter((kind) => kind !== 'mark')).size, turns };
}

function kindOf(character: string): string {
  // A file has millions of characters.
  if (character >= 'a' && character <= 'z') return 'lower';
  if (character >= 'A' && character <= 'Z') return 'upper';
  if (character >= '0' && character <= '9') return 'digit';
  if (/\p{Lu}/u.test(character)) return 'upper';
  if (/\p{L}/u.test(character)) return 'lower';
  if (/\p{N}/u.test(character)) return 'digit';
  return sign.test(character) ? 'sign' : 'mark';
}

/** Capital letters in odd places, unlike `DeLaCruz`. */
function isOfRandomLetters(text: string, turns: number): boolean {
  return turns >= 5 && /^\p{L}+$/u.test(text) && !/^(?:\p{Lu}\p{Ll}+)+$/u.test(text);
}

/** A UUID. */
function isId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
