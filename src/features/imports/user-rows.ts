import { say, asSaid, namedList, phraseList, named } from '../../domain/said.ts';
import {
  newUser,
  type Change,
  type ChangeRow,
  type BatchPlan,
  type BatchRow,
  type RowOutcome,
} from '../../domain/batch.ts';
import type { rightFlags, UserType } from '../../quiz-api/records.ts';
import { assignQuiz } from '../quizzes/assign-and-unassign.ts';
import { createUser } from '../users/create-user.ts';
import { addToGroup } from '../groups/groups.ts';
import { updateUser } from '../users/update-user.ts';
import { aType, rightsInWords } from '../../operations/wording/words.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { mapped, type ResolvedValue } from '../../operations/fields/field-kind.ts';
import { groupKind, quizKind } from '../../operations/fields/things.ts';
import { splitList } from '../../operations/typed-text.ts';
import type { FileTable } from '../../operations/services/files.ts';
import { readAsColumn, resultColumns } from './columns.ts';

/** A user to create, or to bring up to date, as a row of an import means them. */
export interface ImportedUser {
  firstName: string;
  lastName: string;
  userName: string;
  emailAddress: string;
  userType: UserType;
  flags: readonly (typeof rightFlags)[number][];
  groups: readonly NamedThing[];
  quizzes: readonly NamedThing[];
  /** Has the service send a new user their password in a welcome e-mail. */
  sendsWelcome: boolean;
}

/** What an update changes, as people call it. */
export const fieldWords = {
  firstName: say`the first name`,
  lastName: say`the last name`,
  userName: say`the user name`,
  emailAddress: say`the e-mail address`,
  userType: say`the type`,
  flags: say`the rights`,
  groups: say`groups`,
  quizzes: say`quizzes`,
} as const satisfies Partial<Record<keyof ImportedUser, string>>;

/** Whether the user would have more than a respondent has. */
export function givesRights({ userType, flags }: ImportedUser): boolean {
  return userType !== 'respondent' || flags.length > 0;
}

/** A row that creates a user, and then adds them to their groups and assigns their quizzes. */
export function createRow(name: string, user: ImportedUser): ChangeRow {
  const { userType, flags } = user;
  return {
    kind: 'change',
    name,
    words: phrases(newUserWords(userType, flags), ...thingWords(user)),
    changes: [{ operation: createUser.name, input: textsOf(newUserInput(user)) }, ...thingChanges(newUser, user)],
    notify: noticesOf(user),
  };
}

function newUserWords(userType: UserType, flags: ImportedUser['flags']): string {
  const rights = flags.length > 0 ? rightsInWords(flags) : undefined;
  switch (userType) {
    case 'respondent':
      return rights === undefined ? say`new respondent` : say`new respondent who can ${rights}`;
    case 'trainer':
      return rights === undefined ? say`new trainer` : say`new trainer who can ${rights}`;
    case 'administrator':
      return rights === undefined ? say`new administrator` : say`new administrator who can ${rights}`;
  }
}

const inputs = [
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['userName', 'user_name'],
  ['emailAddress', 'email_address'],
  ['userType', 'user_type'],
] as const;

/** A row that changes what differs of a user; everything else stays as it is when the row runs. */
export function updateRow(
  name: string,
  userId: string,
  user: ImportedUser,
  changed: readonly (keyof typeof fieldWords)[],
): ChangeRow {
  const has = (field: keyof typeof fieldWords) => changed.includes(field);
  const input = textsOf({
    ...Object.fromEntries(inputs.filter(([field]) => has(field)).map(([field, its]) => [its, user[field]])),
    // An import gives rights, and takes none away.
    ...Object.fromEntries(has('flags') ? user.flags.map((flag) => [flag, 'true']) : []),
  });
  const isChanged = Object.keys(input).length > 0;
  const renamed = (['firstName', 'lastName', 'userName', 'emailAddress'] as const).filter(has);
  const changes = [
    ...(isChanged ? [{ operation: updateUser.name, input: { user: [userId], ...input } }] : []),
    ...thingChanges(userId, user),
  ];
  return {
    kind: 'change',
    name,
    words: phrases(
      ...(renamed.length > 0 ? [say`changes ${phraseList(renamed.map((field) => fieldWords[field]))}`] : []),
      ...(has('userType') ? [say`becomes ${aType(user.userType)}`] : []),
      ...(has('flags') ? [say`can ${rightsInWords(user.flags)}`] : []),
      ...thingWords(user),
    ),
    // Something differs, or there would be no row.
    changes: changes as [Change, ...Change[]],
    userId,
    notify: noticesOf(user),
  };
}

/** The user as the input of `create-user`. */
export function newUserInput(user: ImportedUser): Record<string, string | string[]> {
  const { userName, emailAddress, firstName, lastName, userType, flags, sendsWelcome } = user;
  const texts = { first_name: firstName, last_name: lastName, email_address: emailAddress };
  return {
    user_name: userName,
    user_type: userType,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    flags: [...flags],
    welcome: sendsWelcome ? ['send'] : [],
  };
}

function textsOf(input: Readonly<Record<string, string | readonly string[]>>): Change['input'] {
  return Object.fromEntries(
    Object.entries(input)
      .map(([field, value]) => [field, typeof value === 'string' ? [value] : value] as const)
      .filter(([, texts]) => texts.length > 0),
  );
}

function thingChanges(userId: string, { groups, quizzes }: ImportedUser): Change[] {
  return [
    ...groups.map(({ id }) => ({ operation: addToGroup.name, input: { user: [userId], group: [id] } })),
    ...quizzes.map(({ id }) => ({ operation: assignQuiz.name, input: { quiz: [id], to: [`user:${userId}`] } })),
  ];
}

function noticesOf({ quizzes }: ImportedUser): NonNullable<ChangeRow['notify']> {
  return quizzes.map(({ id: quizId, name: quizName }) => ({ quizId, quizName }));
}

function thingWords({ groups, quizzes }: ImportedUser): string[] {
  const list = (things: readonly NamedThing[]) =>
    namedList(
      things.map(({ name }) => name),
      5,
    );
  return [
    ...(groups.length > 0 ? [say`joins ${list(groups)}`] : []),
    ...(quizzes.length > 0 ? [say`gets ${list(quizzes)}`] : []),
  ];
}

function phrases(...parts: readonly string[]): string {
  return parts.join(', ');
}

export interface NamedThing {
  id: string;
  name: string;
}

export type NamedThings = ReturnType<typeof createNamedThings>;

/**
 * Finds the groups and quizzes that cells name, as commands do. Each different cell is looked up once. Both throw an
 * `InvalidInputError` where a name fits none or several.
 */
export function createNamedThings(resolver: OperationContext) {
  const groupOf = async (name: string) =>
    mapped(await groupKind.resolve([name], { kind: 'group', label: '' }, resolver), ({ group_id, group_name }) => ({
      id: group_id,
      name: group_name,
    }));
  const quizOf = async (name: string) =>
    mapped(await quizKind.resolve([name], { kind: 'quiz', label: '' }, resolver), ({ quiz_id, name: quizName }) => ({
      id: quiz_id,
      name: quizName,
    }));
  return {
    groups: onceEach((cell) => eachIn(cell, say`Groups`, groupOf)),
    quizzes: onceEach((cell) => eachIn(cell, say`Quizzes`, quizOf)),
  };
}

function onceEach<Found>(find: (cell: string) => Promise<Found>): (cell: string) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (cell) => {
    const found = known.get(cell) ?? find(cell);
    known.set(cell, found);
    return found;
  };
}

/** Names can contain commas, so a cell is parted only where the whole of it names nothing. */
async function eachIn(cell: string, label: string, find: (name: string) => Promise<ResolvedValue<NamedThing>>) {
  if (cell === '') return [];
  const whole = await find(cell);
  if (whole.kind === 'value') return [whole.value];
  const parts = splitList(cell.replaceAll(/[|\r\n]/g, ';')).map(withoutQuotes);
  const things = new Map<string, NamedThing>();
  for (const part of parts) {
    const found = part === cell ? whole : await find(part);
    if (found.kind !== 'value') throw new InvalidInputError('', `${label}: ${unclearName(part, found)}`);
    things.set(found.value.id, found.value);
  }
  return [...things.values()];
}

function withoutQuotes(name: string): string {
  return name.replace(/^(?:"(.+)"|“(.+)”|„(.+)[“”]|«\s?(.+?)\s?»|'(.+)'|‘(.+)’)$/u, '$1$2$3$4$5$6');
}

function unclearName(typed: string, found: Exclude<ResolvedValue<NamedThing>, { kind: 'value' }>): string {
  if (found.kind === 'invalid') return found.message;
  const { noun, candidates, isAlike, count } = found;
  const names = namedList(candidates.slice(0, 5).map(({ label }) => label));
  if (isAlike)
    return noun === 'quiz'
      ? say`${named(typed)} fits ${count} quizzes, such as ${names}. Write the whole name.`
      : say`${named(typed)} fits ${count} groups, such as ${names}. Write the whole name.`;
  const none = noun === 'quiz' ? say`No quiz is called ${named(typed)}.` : say`No group is called ${named(typed)}.`;
  return candidates.length === 0 ? none : `${none} ${say`The nearest: ${names}.`}`;
}

/**
 * The rows of an import as a table like the one they came from, with what became of each. It can be corrected and imported
 * again as it is.
 *
 * @param outcomes in the order of the rows, in the bot’s words
 */
export function importResult(
  { header, cells }: NonNullable<BatchPlan['source']>,
  outcomes: readonly { outcome: string; userId: string; error: string; readAs?: string | undefined }[],
): FileTable {
  const showsNames = outcomes.some(({ readAs }) => readAs !== undefined);
  const titles = [...header, ...resultColumns, ...(showsNames ? [readAsColumn] : [])];
  return {
    columns: titles.map((title) => ({ title, kind: 'text' })),
    parts: [
      cells.map((row, at) => {
        const { outcome = '', userId = '', error = '', readAs = '' } = outcomes[at] ?? {};
        return [
          ...header.map((_, place) => row[place] ?? ''),
          outcome,
          userId,
          asSaid(error),
          ...(showsNames ? [readAs] : []),
        ];
      }),
    ],
  };
}

/** What became of a row of an import, for `resultFile`. */
export function rowResult(
  row: BatchRow,
  { kind, userId = '', isWithoutPassword, error = isWithoutPassword ? withoutPassword : '' }: RowOutcome,
): { outcome: string; userId: string; error: string } {
  const known = row.kind === 'change' ? row.userId : undefined;
  return {
    outcome: kind === 'done' ? (known === undefined ? say`created` : say`updated`) : outcomeWords[kind],
    userId: userId || (known ?? ''),
    error,
  };
}

const withoutPassword = say`The bot couldn’t message them, so they have no password yet. /quiz-user reset-password sets one.`;

export const outcomeWords = {
  waiting: say`not begun`,
  trying: say`not confirmed`,
  done: say`done`,
  same: say`unchanged`,
  failed: say`failed`,
  skipped: say`left out`,
} satisfies Record<RowOutcome['kind'], string>;
