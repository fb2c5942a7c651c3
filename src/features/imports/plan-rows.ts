import { say, named, phraseList } from '../../domain/said.ts';
import { hasAddress } from '../../directory/identity.ts';
import { namedUser, ownName } from '../../directory/names.ts';
import { foldAddress, isSameAddress } from '../../domain/address.ts';
import type { BatchRow, RowOutcome, ImportedRowKind } from '../../domain/batch.ts';
import { rightFlags, type User } from '../../quiz-api/records.ts';
import { createUser, canShare, takenMessage } from '../users/create-user.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { Visibility, OperationContext } from '../../operations/context.ts';
import { aType } from '../../operations/wording/words.ts';
import { absenceIn, isoDay } from './titles.ts';
import type { Columns } from './columns.ts';
import type { CsvRow } from './csv-table.ts';
import {
  createNamedThings,
  createRow,
  fieldWords,
  givesRights,
  newUserInput,
  updateRow,
  type NamedThing,
  type NamedThings,
  type ImportedUser,
} from './user-rows.ts';
import { nameInRow, personOfRow, readPerson, userNameOfRow, type NameInRow, type PersonRow } from './read-person.ts';

export interface PlannedRow {
  /** In the file, from 1. */
  line: number;
  kind: ImportedRowKind;
  /** More about it, as a sentence of `domain/said.ts`; empty for a row that is simply done. */
  note: string;
  row: BatchRow;
  /** Whether its person becomes a trainer or administrator, or gets rights. */
  makesStaff?: boolean;
  /** What people call its person; left out where the row has no name. */
  person?: string;
  /** How the bot read the name; `written` where it took it apart. */
  readAs?: NameInRow;
  /** The ID of a user who is gone by the file, and can sign in. */
  suspend?: string;
  /** A new user who has the e-mail address of another user, or of a row above. */
  shares?: true;
  /** A user who would have another first name and another last name. */
  renames?: { from: string; to: string };
}

/** A row to plan. `leftOut`: why its person takes no part, as a sentence. */
export interface SourceRow extends CsvRow {
  leftOut?: string;
}

/**
 * What would happen to each row, by the users of the account as they are listed now. Changes nothing. A user is known by
 * user name and e-mail address, as everywhere in the bot; a person who may not see a user learns only that an address is
 * taken.
 */
export async function planRows(
  rows: readonly SourceRow[],
  columns: Columns,
  width: number,
  defaults: ImportDefaults,
  users: readonly User[],
  resolver: OperationContext,
): Promise<PlannedRow[]> {
  const things = createNamedThings(resolver);
  const holders = holdersOf(users);
  const today = isoDay(resolver.now());
  /** The lines of the addresses in rows that are done. */
  const lines = new Map<string, number>();
  /** Users with one of these have a row of their own. */
  const userNames = new Set(rows.map((row) => foldAddress(userNameOfRow(row, columns))));
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    const person = personOfRow(row, columns);
    const plan = await planRow(row, person || say`Line ${row.line}`);
    planned.push(person === '' ? plan : { ...plan, person, readAs: nameInRow(row, columns) });
  }
  return planned;

  async function planRow(row: SourceRow, name: string): Promise<PlannedRow> {
    try {
      const person = await readPerson(row, columns, width, resolver);
      if (row.leftOut !== undefined) return rest(row, 'outsider', name, row.leftOut);
      const addresses = [person.userName, person.emailAddress].filter((address) => address !== '');
      if (addresses.length === 0)
        return rest(row, 'no address', name, say`There’s no e-mail address and no user name.`);
      const own = ownUser(person);
      const isShared = isNewSharing(person);
      for (const address of own || isShared ? [person.userName] : addresses) {
        const earlier = lines.get(foldAddress(address));
        if (earlier !== undefined)
          return rest(row, 'repeated', name, say`${named(address)} is in line ${earlier} already.`);
      }
      const absence = absenceIn(row.cells, columns.absences, today);
      if (absence?.isUnclear) throw new InvalidInputError('', absence.note);
      if (absence) return planGone(row, name, own, addresses, absence.note);
      const found = await planPerson(row, person, addresses, name);
      if (isShared && found.kind === 'create') found.shares = true;
      if (found.kind !== 'conflict') for (const address of addresses) lines.set(foldAddress(address), row.line);
      return found;
    } catch (error) {
      if (error instanceof InvalidInputError) return rest(row, 'invalid', name, error.message);
      throw error;
    }
  }

  /** The user whom a row names by their user name and an address that they have: others may have it as well, as families do. */
  function ownUser({ userName, emailAddress }: PersonRow): User | undefined {
    if (userName === '') return undefined;
    const same = holders.get(foldAddress(userName)) ?? [];
    const user = same.find((each) => isSameAddress(each.user_name, userName));
    return user && (emailAddress === '' || hasAddress(user, emailAddress)) ? user : undefined;
  }

  /** Whether a new user has an e-mail address that a row above has, or users who have rows of their own. */
  function isNewSharing({ userName, emailAddress, userType = defaults.userType }: PersonRow): boolean {
    if (userName === '' || emailAddress === '' || holders.has(foldAddress(userName))) return false;
    const key = foldAddress(emailAddress);
    const known = holders.get(key) ?? [];
    const others = known.filter(({ user_name }) => userNames.has(foldAddress(user_name)));
    if (others.length < known.length || (known.length === 0 && !lines.has(key))) return false;
    const asked = { user_name: userName, email_address: emailAddress, user_type: userType };
    return canShare(asked, known) || (known.length === 0 && userType === 'respondent');
  }

  function planGone(
    row: SourceRow,
    name: string,
    own: User | undefined,
    addresses: readonly string[],
    note: string,
  ): PlannedRow {
    const known = own ? [own] : addresses.flatMap((address) => holders.get(foldAddress(address)) ?? []);
    const user = new Set(known).size === 1 ? known.find(resolver.visibility.user) : undefined;
    const left = rest(row, 'gone', name, note, user);
    return { ...left, suspend: user && !user.suspended ? user.user_id : undefined };
  }

  async function planPerson(
    row: SourceRow,
    person: PersonRow,
    addresses: readonly string[],
    name: string,
  ): Promise<PlannedRow> {
    const wanted = await wantedUser(person, defaults, things);
    const known = [...new Set(addresses.flatMap((address) => holders.get(foldAddress(address)) ?? []))];
    const own = ownUser(person);
    const [user, other] = own ? [own] : isNewSharing(person) ? [] : known;
    if (user === undefined) {
      createUser.check?.(newUserInput(wanted));
      return {
        line: row.line,
        kind: 'create',
        note: '',
        row: createRow(name, wanted),
        makesStaff: givesRights(wanted),
      };
    }
    const conflict = conflictOf(user, other, addresses, resolver.visibility);
    if (conflict !== undefined) return rest(row, 'conflict', name, conflict);
    if (isLower(person.userType, user.user_type)) {
      return rest(
        row,
        'conflict',
        name,
        say`${namedUser(user)} is ${aType(user.user_type)}. An import takes no rights away: use \`/quiz-user update\`.`,
        user,
      );
    }
    return planExisting(row, user, person, wanted, name);
  }

  function planExisting(row: SourceRow, user: User, person: PersonRow, wanted: ImportedUser, name: string): PlannedRow {
    const update = updatedUser(user, person, wanted);
    const changes = changedFields(user, update);
    if (changes.length === 0) return rest(row, 'same', name, '', user);
    if (changes.includes('flags') || changes.includes('userType')) createUser.check?.(newUserInput(update));
    const differences = phraseList(changes.map((field) => fieldWords[field]));
    const isRenamed = changes.includes('firstName') && changes.includes('lastName') && ownName(user) !== '';
    const renames = isRenamed && { renames: { from: ownName(user), to: name } };
    if (!defaults.updatesExisting) {
      const left = rest(row, 'differs', name, say`Already a user, and differs in ${differences}.`, user);
      return { ...left, ...renames };
    }
    return {
      ...renames,
      line: row.line,
      kind: 'update',
      note: say`Changes ${differences}.`,
      row: updateRow(name, user.user_id, update, changes),
      makesStaff: changes.includes('userType') || changes.includes('flags'),
    };
  }
}

type RestKind = Exclude<ImportedRowKind, 'create' | 'update'>;

/** What becomes of rows that change nothing. */
const outcomes = {
  same: 'same',
  differs: 'skipped',
  repeated: 'skipped',
  outsider: 'skipped',
  gone: 'skipped',
  conflict: 'failed',
  'no address': 'failed',
  invalid: 'failed',
} as const satisfies Record<RestKind, RowOutcome['kind']>;

function rest({ line }: SourceRow, kind: RestKind, name: string, note: string, user?: User): PlannedRow {
  const outcome = { kind: outcomes[kind], error: note || undefined, userId: user?.user_id };
  return { line, kind, note, row: { kind: 'none', name, outcome } };
}

function holdersOf(users: readonly User[]): ReadonlyMap<string, User[]> {
  const holders = new Map<string, User[]>();
  for (const user of users) {
    for (const address of new Set([foldAddress(user.user_name), foldAddress(user.email_address)])) {
      if (address !== '') holders.set(address, [...(holders.get(address) ?? []), user]);
    }
  }
  return holders;
}

/**
 * Why the row cannot be about the user who has the address; undefined where it can. Another name is no reason: people marry.
 */
function conflictOf(
  user: User,
  other: User | undefined,
  addresses: readonly string[],
  visibility: Visibility,
): string | undefined {
  if (other === undefined && visibility.user(user)) return undefined;
  const holder = other ?? user;
  return takenMessage(addresses.find((address) => hasAddress(holder, address)) ?? '', [holder], visibility);
}

const typesUpwards: readonly string[] = ['respondent', 'trainer', 'administrator'];

function isLower(given: string | undefined, known: string): boolean {
  // Nobody knows what a type of the account’s own can do.
  return (
    given !== undefined &&
    given !== known &&
    typesUpwards.indexOf(given) < (typesUpwards.indexOf(known) + 1 || Infinity) - 1
  );
}

/** What holds for every row that does not say otherwise. */
interface ImportDefaults {
  /** Of new users. */
  userType: ImportedUser['userType'];
  groups: readonly NamedThing[];
  quizzes: readonly NamedThing[];
  updatesExisting: boolean;
  sendsWelcome: boolean;
}

/** The user whom a row means, with what holds for every row. @throws {InvalidInputError} where it names a group or quiz that fits none or several */
async function wantedUser(person: PersonRow, defaults: ImportDefaults, things: NamedThings): Promise<ImportedUser> {
  const { firstName, lastName, userName, emailAddress, flags } = person;
  const signIn = userName || emailAddress;
  return {
    firstName,
    lastName,
    userName: signIn,
    emailAddress: isSameAddress(signIn, emailAddress) ? '' : emailAddress,
    userType: (person.userType ?? defaults.userType) as ImportedUser['userType'],
    flags: rightFlags.filter((flag) => flags.includes(flag)),
    groups: unique([...(await things.groups(person.groups)), ...defaults.groups]),
    quizzes: unique([...(await things.quizzes(person.quizzes)), ...defaults.quizzes]),
    // The service mails to the user name where it is an address.
    sendsWelcome: defaults.sendsWelcome && (emailAddress !== '' || signIn.includes('@')),
  };
}

function unique(things: readonly NamedThing[]): NamedThing[] {
  return [...new Map(things.map((thing) => [thing.id, thing])).values()];
}

/** The user with what the row says. What it leaves empty stays, and so do all rights. */
function updatedUser(user: User, person: PersonRow, wanted: ImportedUser): ImportedUser {
  const { emailAddress } = person;
  return {
    firstName: person.firstName || user.first_name,
    lastName: person.lastName || user.last_name,
    userName:
      person.userName === '' || isSameAddress(person.userName, user.user_name) ? user.user_name : person.userName,
    emailAddress: emailAddress === '' || hasAddress(user, emailAddress) ? user.email_address : emailAddress,
    userType: (person.userType ?? user.user_type) as ImportedUser['userType'],
    flags: rightFlags.filter((flag) => user[flag] || person.flags.includes(flag)),
    groups: wanted.groups.filter(({ id }) => !user.groups.some(({ group_id }) => group_id === id)),
    quizzes: wanted.quizzes.filter(({ id }) => !user.quizzes.some(({ quiz_id }) => quiz_id === id)),
    sendsWelcome: false,
  };
}

type ChangedField = keyof typeof fieldWords;

/** What of the user the row changes. */
function changedFields(user: User, update: ImportedUser): ChangedField[] {
  const isChanged: Record<ChangedField, boolean> = {
    firstName: update.firstName !== user.first_name,
    lastName: update.lastName !== user.last_name,
    userName: update.userName !== user.user_name,
    emailAddress: update.emailAddress !== user.email_address,
    userType: update.userType !== user.user_type,
    flags: update.flags.some((flag) => !user[flag]),
    groups: update.groups.length > 0,
    quizzes: update.quizzes.length > 0,
  };
  return (Object.keys(fieldWords) as ChangedField[]).filter((field) => isChanged[field]);
}
