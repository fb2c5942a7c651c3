import { plainName } from '../../directory/names.ts';
import { named, namedList } from '../../domain/sentence.ts';
import type { CsvProblem, CsvTable } from './csv-table.ts';

/** What a column can hold. */
export type Column =
  | 'first_name'
  | 'last_name'
  | 'name'
  | 'email_address'
  | 'user_name'
  | 'groups'
  | 'quizzes'
  | 'user_type'
  | 'flags'
  | 'edit_quizzes'
  | 'manage_users'
  | 'manage_groups';

/** The bot’s own columns in the file of an import’s result, which people give back. */
export const resultColumns = ['outcome', 'user_id', 'error'] as const;

/** Titles in plain words, by what the column holds. The first is what the bot calls it. */
const titles: Readonly<Record<Column, readonly string[]>> = {
  first_name: [
    'first name',
    'firstname',
    'first',
    'first names',
    'given name',
    'given names',
    'givenname',
    'forename',
    'forenames',
    'legal first name',
  ],
  last_name: ['last name', 'lastname', 'last', 'last names', 'surname', 'family name', 'familyname', 'legal last name'],
  name: ['name', 'full name', 'fullname', 'display name', 'displayname', 'real name', 'employee name', 'employee'],
  email_address: [
    'e-mail address',
    'e mail address',
    'email address',
    'e-mail',
    'e mail',
    'email',
    'emails',
    'mail',
    'mail address',
    'work email',
    'work e mail',
    'work email address',
    'email work',
    'business email',
    'business email address',
    'company email',
    'primary email',
    'primary email address',
    'primary work email',
    'user email',
  ],
  user_name: [
    'user name',
    'username',
    'login',
    'login name',
    'logon name',
    'sign in name',
    'user principal name',
    'upn',
    'account name',
  ],
  groups: ['groups', 'group', 'group name', 'group names', 'user group', 'user groups', 'quiz group', 'quiz groups'],
  quizzes: ['quizzes', 'quiz', 'quiz name', 'quiz names', 'assigned quiz', 'assigned quizzes'],
  user_type: ['type', 'user type', 'usertype', 'role', 'user role', 'account type'],
  flags: ['rights', 'flags', 'permissions'],
  edit_quizzes: ['edit quizzes', 'can edit quizzes', 'right to edit quizzes'],
  manage_users: ['manage users', 'can manage users', 'right to manage users'],
  manage_groups: ['manage groups', 'can manage groups', 'right to manage groups'],
};

const columnByTitle: ReadonlyMap<string, Column> = new Map(
  Object.entries(titles).flatMap(([column, its]) => its.map((title) => [plainTitle(title), column as Column])),
);
const ownTitles: ReadonlySet<string> = new Set(resultColumns.map(plainTitle));
/** The bot makes passwords itself, and stores none: such a column is dropped at once. */
const secretTitle = /\b(?:passwords?|passwort|passcode|pwd|pin|secret)\b/;

/** Where the columns of a table are, and what became of the others. */
export interface Columns {
  places: ReadonlyMap<Column, number>;
  /** Titles that mean nothing to the bot, as they were written. */
  unknown: readonly string[];
  /** Titles of columns with passwords. */
  secret: readonly string[];
  /** The cells that the result shows again: all but the bot’s own columns and secret ones. */
  kept: readonly number[];
  /** The bot wrote the file: it has put apostrophes before formulas. */
  isResult: boolean;
}

/** Whether a column with this title means something. */
export function isKnownTitle(title: string): boolean {
  const plain = plainTitle(title);
  return columnByTitle.has(plain) || ownTitles.has(plain);
}

/** Finds the columns by their titles, in any order. */
export function findColumns({ header, rows }: Pick<CsvTable, 'header' | 'rows'>): Columns | CsvProblem {
  const plain = header.map(plainTitle);
  const places = new Map<Column, number>();
  for (const [place, title] of plain.entries()) {
    const column = columnByTitle.get(title);
    if (column === undefined) continue;
    const earlier = places.get(column);
    if (earlier !== undefined)
      return {
        problem: `The columns ${named(header[earlier] ?? '')} and ${named(header[place] ?? '')} both hold the ${titles[column][0]}. Keep one of them.`,
      };
    places.set(column, place);
  }
  if (!places.has('email_address') && !places.has('user_name')) return { problem: missingAddress(header) };
  const flag = (['edit_quizzes', 'manage_users', 'manage_groups'] as const).find((each) => places.has(each));
  if (places.has('flags') && flag)
    return {
      problem: `The columns ${named(titleAt(places.get('flags')))} and ${named(titleAt(places.get(flag)))} both hold rights. Keep one of them.`,
    };

  const all = [...plain.keys()];
  const isOwn = (place: number) => ownTitles.has(plain[place] ?? '');
  const isSecret = (place: number) => secretTitle.test(plain[place] ?? '');
  const hasTitle = (place: number) =>
    plain[place] !== '' || rows.some(({ cells }) => (cells[place] ?? '').trim() !== '');
  return {
    places,
    unknown: all
      .filter((place) => !columnByTitle.has(plain[place] ?? '') && !isOwn(place) && !isSecret(place) && hasTitle(place))
      .map(titleAt),
    secret: all.filter(isSecret).map(titleAt),
    kept: all.filter((place) => !isOwn(place) && !isSecret(place)),
    isResult: resultColumns.every((own) => plain.includes(plainTitle(own))),
  };

  function titleAt(place = -1): string {
    return header[place] || `column ${place + 1}`;
  }
}

function missingAddress(header: readonly string[]): string {
  const found = header.filter((title) => title !== '');
  const has = found.length === 0 ? 'The first row is empty.' : `The first row has ${namedList(found, 5)}.`;
  return `There’s no column with e-mail addresses. Call it “E-mail”, or “User name” if people sign in with something else. ${has}`;
}

/** `givenName`, `E-Mail Address [Required]` and `first_name` in plain words. */
function plainTitle(title: string): string {
  const words = title.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[([].{0,40}[)\]]/gu, ' ');
  return plainName(words)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
