import { rightFlags, type User, type UserChanges, type UserType } from '../../quiz-api/records.ts';
import { parseClauses } from '../../operations/clauses/parse-clauses.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import type { FieldOption } from '../../operations/fields/choice.ts';
import { defineOperation } from '../../operations/operation.ts';
import { made, type DoneResult } from '../../operations/page.ts';
import { refuseTakenAddress, refuseTakenAddressNow } from './create-user.ts';
import { namedUser, recordName } from '../../directory/names.ts';
import { named, phraseList, say, asSaid, capitalized } from '../../domain/said.ts';
import { administratorsDecide, aType, rightsInWords, userFlags, userTypes } from '../../operations/wording/words.ts';
import type { OperationContext } from '../../operations/context.ts';

const giveOrTake = [
  { value: 'true', label: 'Give', needs: 'manage_users' },
  { value: 'false', label: 'Remove', needs: 'manage_users' },
] as const satisfies FieldOption[];

/** The texts that a user can do without. A form cannot show their values, since its user can still change. */
const emptiable = [
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'email_address', label: 'E-mail address' },
] as const satisfies FieldOption[];

const fields = {
  user: { kind: 'user', label: 'User', hint: 'Fields that you leave empty stay as they are.' },
  user_name: { kind: 'text', label: 'New user name', maxLength: 250, optional: true },
  first_name: { kind: 'text', label: 'New first name', maxLength: 100, optional: true },
  last_name: { kind: 'text', label: 'New last name', maxLength: 100, optional: true },
  email_address: {
    kind: 'email',
    label: 'New e-mail address',
    optional: true,
    clause: { words: ['email', 'e-mail', 'mail', 'address'], example: say`email rosa@example.com`, filler: 'to' },
  },
  user_type: {
    kind: 'choice',
    label: 'New type',
    options: userTypes,
    optional: true,
    clause: { words: ['as', 'type'], example: say`as trainer` },
  },
  edit_quizzes: { kind: 'choice', label: 'Right to edit quizzes', options: giveOrTake, optional: true },
  manage_users: { kind: 'choice', label: 'Right to manage users', options: giveOrTake, optional: true },
  manage_groups: { kind: 'choice', label: 'Right to manage groups', options: giveOrTake, optional: true },
  empty: { kind: 'flags', label: 'Clear these fields', options: emptiable, optional: true },
} as const satisfies Fields;

export const updateUser = defineOperation({
  name: 'update-user',
  command: '/quiz-user update <user> …',
  synonyms: ['edit', 'change', 'set'],
  summary: 'Change a user’s name, address, type or rights',
  access: 'write',
  right: 'manage_users',
  rules: [
    {
      name: 'making an administrator',
      when: ({ user, user_type }) => user_type === 'administrator' && user.user_type !== 'administrator',
    },
    {
      name: 'changing a user’s type or rights',
      when: ({ user_type, edit_quizzes, manage_users, manage_groups }) =>
        [user_type, edit_quizzes, manage_users, manage_groups].some((given) => given !== undefined),
    },
    { name: 'changing a user’s name or address' },
  ],
  needsPress: () => true,
  submit: 'Save changes',
  fields,
  onUser: ({ user, ...given }) => ({ user, to: changesOf(given) }),
  takesTurn: true,
  parse: (line) => parseClauses(line, fields, { subject: 'user' }),
  check(input) {
    if (Object.entries(input).every(([field, value]) => field === 'user' || value === undefined)) {
      throw new InvalidInputError(
        'user',
        say`There’s nothing to change yet. Fill in at least one of the other fields.`,
      );
    }
    const both = emptiable.find(({ value }) => input.empty?.includes(value) && input[value] !== undefined);
    if (both)
      throw new InvalidInputError('empty', say`${asSaid(both.label)}: either clear it or enter a new one, not both.`);
    const given = userFlags.find(({ value }) => input[value] === 'true');
    if (given && input.user_type === 'respondent') {
      throw new InvalidInputError(
        given.value,
        say`Respondents can’t have rights. Choose another type, or don’t give them this right.`,
      );
    }
  },
  action: ({ user, ...changes }) => say`change the ${changedParts(changes)} of ${namedUser(user, recordName)}`,
  async effect(context, { user, ...given }) {
    const changes = changesOf(given);
    await refuseTakenAddress(context, changes, user);
    return changesInWords(changes);
  },
  isDone({ user, ...given }) {
    return Object.entries(changesOf(given)).every(
      ([field, value]) => value === undefined || user[field as keyof User] === value,
    );
  },
  done: changed,
  noChange: ({ user }) => say`${namedUser(user)} had these values already. Nothing changed.`,
  async run(context, input) {
    const { user, ...given } = input;
    const changes = changesOf(given);
    await refuseTakenAddressNow(context, changes, user);
    await changeUser(context, user, changes);
    return changed(input);
  },
});

type Changes = Omit<UserChanges, 'password' | 'suspended'>;
/** The fields of an update, as far as they are given. `empty` lists the texts to remove. */
type ChangeFields = { [Name in keyof Changes]?: string | undefined } & { empty?: string[] | undefined };

function changesOf(given: ChangeFields): Changes {
  const emptied = (field: (typeof emptiable)[number]['value']) => (given.empty?.includes(field) ? '' : given[field]);
  return {
    user_name: given.user_name,
    first_name: emptied('first_name'),
    last_name: emptied('last_name'),
    email_address: emptied('email_address'),
    user_type: given.user_type as UserType | undefined,
    edit_quizzes: asFlag(given.edit_quizzes),
    manage_users: asFlag(given.manage_users),
    manage_groups: asFlag(given.manage_groups),
  };
}

function asFlag(choice: string | undefined): boolean | undefined {
  return choice === undefined ? undefined : choice === 'true';
}

const parts = [
  ['user_name', say`user name`],
  ['first_name', say`first name`],
  ['last_name', say`last name`],
  ['email_address', say`e-mail address`],
  ['user_type', say`type`],
] as const;

/** The changed parts of a user: “type, rights and last name”. */
function changedParts({ empty = [], ...given }: ChangeFields): string {
  const texts = parts
    .filter(([field]) => given[field] !== undefined || empty.includes(field))
    .map(([, words]) => words);
  return phraseList([...texts, ...(rightFlags.some((flag) => given[flag] !== undefined) ? [say`rights`] : [])]);
}

function changed({ user, ...changes }: { user: User } & ChangeFields): DoneResult {
  return made(say`Changed the ${changedParts(changes)} of ${namedUser(user)}.`);
}

/** What would be different, in the conditional. */
export function changesInWords(changes: Changes): string {
  const each = Object.entries(changes).flatMap(([field, value]) =>
    value === undefined ? [] : [changeInWords(field, value)],
  );
  const sentence = `${capitalized(phraseList(each))}.`;
  return changes.user_type === 'administrator' ? `${sentence} ${administratorsDecide}` : sentence;
}

function changeInWords(field: string, value: string | boolean): string {
  if (typeof value === 'boolean')
    return value ? say`they could ${rightsInWords([field])}` : say`they could no longer ${rightsInWords([field])}`;
  switch (field) {
    case 'user_type':
      return say`they would become ${aType(value)}`;
    case 'user_name':
      return say`their user name would be ${named(value)}`;
    case 'first_name':
      return value === '' ? say`they would have no first name` : say`their first name would be ${named(value)}`;
    case 'last_name':
      return value === '' ? say`they would have no last name` : say`their last name would be ${named(value)}`;
    default:
      return value === '' ? say`they would have no e-mail address` : say`their e-mail address would be ${named(value)}`;
  }
}

/** The service decides which rights a user of another type still has. Until it says so, they have none that were not given. */
const none = { edit_quizzes: false, manage_users: false, manage_groups: false };

/** Changes a user in the service and in the directory. */
export async function changeUser(
  { api, directory, call }: OperationContext,
  user: User,
  changes: Omit<UserChanges, 'password'>,
): Promise<void> {
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const hasOtherType = changes.user_type !== undefined;
  const { user_id: id } = user;
  directory.users.edit(id, (known) => ({ ...known, ...(hasOtherType && none), ...given }));
  if (hasOtherType) await directory.users.read(id, () => api.users.get(id, call)).catch(() => {});
}
