import { fullName } from '../directory/names.ts';
import type { User, UserChanges, UserType, UserWithResults } from '../quiz-api/users.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import type { FieldOption } from './fields/choice.ts';
import type { OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';

const userTypes = [
  { value: 'respondent', label: 'Respondent', hint: 'takes quizzes' },
  { value: 'trainer', label: 'Trainer', hint: 'works with quizzes, as far as their rights go', needs: 'manage_users' },
  { value: 'administrator', label: 'Administrator', hint: 'may do everything', needs: 'manage_users' },
] as const satisfies FieldOption[];

const flags = [
  { value: 'edit_quizzes', label: 'Edit quizzes', hint: 'create, edit, delete and publish quizzes, see reports', needs: 'manage_users' },
  { value: 'manage_users', label: 'Manage users', hint: 'see and suspend users, create respondents', needs: 'manage_users' },
  { value: 'manage_groups', label: 'Manage groups', hint: 'see and edit groups', needs: 'manage_users' },
] as const satisfies FieldOption[];

const giveOrTake = [
  { value: 'true', label: 'Give', needs: 'manage_users' },
  { value: 'false', label: 'Take away', needs: 'manage_users' },
] as const satisfies FieldOption[];

export const listUsers = defineOperation({
  name: 'list-users',
  command: '/quiz-user list [filter]',
  summary: 'List the users, or those with a word in their name or address',
  access: 'read',
  right: 'manage_users',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name or address', maxLength: 250, optional: true } },
  async run({ directory, visibility, call }, { filter = '' }) {
    await directory.users.fresh(call);
    const names = await directory.users.names(call);
    return { kind: 'users', filter, users: names.search(filter, { limit: Infinity, accepts: visibility.user }) };
  },
});

export const showUser = defineOperation({
  name: 'show-user',
  command: '/quiz-user show <user>',
  summary: 'Show one user with their rights, groups and results',
  access: 'read',
  right: 'manage_users',
  submit: 'Show',
  fields: { user: { kind: 'user', label: 'User' } },
  async run(context, { user }) {
    return userWithQuizzes(context, await context.api.users.get(user.user_id, context.call));
  },
});

export const findUser = defineOperation({
  name: 'find-user',
  command: '/quiz-user find <user_name>',
  summary: 'Find a user by their exact user name, also one who is too new for the list',
  access: 'read',
  right: 'manage_users',
  submit: 'Find',
  fields: { user_name: { kind: 'text', label: 'User name', maxLength: 250 } },
  async run(context, { user_name }) {
    const { api, visibility, call } = context;
    const userId = await api.users.find(user_name, call);
    const user = userId === null ? undefined : await api.users.get(userId, call);
    if (user === undefined || !visibility.user(user)) {
      throw new InvalidInputError('user_name', `No user of the account has the user name “${user_name}”.`);
    }
    return userWithQuizzes(context, user);
  },
});

export const createUser = defineOperation({
  name: 'create-user',
  command: '/quiz-user create <user_name> …',
  summary: 'Create a user; the bot makes the password',
  access: 'write',
  right: 'manage_users',
  submit: 'Create',
  makesNew: true,
  fields: {
    user_name: { kind: 'text', label: 'User name', hint: 'What they sign in with. Mostly their e-mail address.', maxLength: 250 },
    user_type: { kind: 'choice', label: 'Type', options: userTypes, usual: 'respondent' },
    first_name: { kind: 'text', label: 'First name', maxLength: 100, optional: true },
    last_name: { kind: 'text', label: 'Last name', maxLength: 100, optional: true },
    email_address: { kind: 'email', label: 'E-mail address', hint: 'If it is not the user name.', optional: true },
    flags: { kind: 'flags', label: 'Rights of a trainer', options: flags, optional: true },
    welcome: {
      kind: 'flags',
      label: 'Password',
      options: [{ value: 'send', label: 'Send a welcome e-mail with it', hint: 'Otherwise you see it here, once.' }],
      optional: true,
    },
  },
  check(input) {
    if (input.welcome?.includes('send') && !input.email_address && !input.user_name.includes('@')) {
      throw new InvalidInputError('email_address', 'A welcome e-mail needs an address: give one here, or take it as user name.');
    }
    if (input.user_type === 'respondent' && input.flags?.length) {
      throw new InvalidInputError('flags', 'Respondents have no rights: choose another type, or none of these.');
    }
  },
  effect(_, { user_name, user_type, flags: given = [] }) {
    const rights = flags.filter(({ value }) => given.includes(value)).map(({ label }) => label.toLowerCase());
    const may = rights.length === 0 ? '' : `, who may ${new Intl.ListFormat('en').format(rights)}`;
    return `“${user_name}” becomes a user of the account: ${user_type}${may}.`;
  },
  async run(context, input) {
    const { api, makePassword, call } = context;
    const sendsMail = input.welcome?.includes('send') ?? false;
    const password = makePassword();
    const createdId = await api.users.create(
      {
        user_name: input.user_name,
        password,
        user_type: input.user_type as UserType,
        first_name: input.first_name,
        last_name: input.last_name,
        email_address: input.email_address,
        send_welcome_email: sendsMail,
        ...Object.fromEntries((input.flags ?? []).map((flag) => [flag, true])),
      },
      call,
    );
    const userId = createdId ?? (await api.users.find(input.user_name, call));
    const user = userId === null ? undefined : await addToDirectory(context, userId);
    const name = user === undefined ? input.user_name : fullName(user);
    return {
      kind: 'done',
      message: `${name} is created as ${user?.user_type ?? input.user_type}.${sendsMail ? ' The welcome e-mail carries the password.' : ''}`,
      ...(!sendsMail && { password: { userName: user?.user_name ?? input.user_name, password } }),
    };
  },
});

export const updateUser = defineOperation({
  name: 'update-user',
  command: '/quiz-user update <user> …',
  summary: 'Change a user’s name, address, type or rights',
  access: 'write',
  right: 'manage_users',
  submit: 'Change',
  fields: {
    user: { kind: 'user', label: 'User', hint: 'What you leave empty below stays as it is.' },
    user_name: { kind: 'text', label: 'New user name', maxLength: 250, optional: true },
    first_name: { kind: 'text', label: 'New first name', maxLength: 100, optional: true },
    last_name: { kind: 'text', label: 'New last name', maxLength: 100, optional: true },
    email_address: { kind: 'email', label: 'New e-mail address', optional: true },
    user_type: { kind: 'choice', label: 'New type', options: userTypes, optional: true },
    edit_quizzes: { kind: 'choice', label: 'Right to edit quizzes', options: giveOrTake, optional: true },
    manage_users: { kind: 'choice', label: 'Right to manage users', options: giveOrTake, optional: true },
    manage_groups: { kind: 'choice', label: 'Right to manage groups', options: giveOrTake, optional: true },
  },
  check(input) {
    if (Object.entries(input).every(([field, value]) => field === 'user' || value === undefined)) {
      throw new InvalidInputError('user', 'Nothing to change: fill in at least one of the other fields.');
    }
  },
  effect: (_, { user, ...given }) => `${fullName(user)} is changed: ${new Intl.ListFormat('en').format(changesInWords(changesOf(given)))}.`,
  isDone({ user, ...given }) {
    return Object.entries(changesOf(given)).every(([field, value]) => value === undefined || user[field as keyof User] === value);
  },
  async run(context, { user, ...given }) {
    await changeUser(context, user, changesOf(given));
    return { kind: 'done', message: `${fullName(user)} is changed.` };
  },
});

export const suspendUser = defineOperation({
  name: 'suspend-user',
  command: '/quiz-user suspend <user>',
  summary: 'Suspend a user, so that they cannot sign in',
  access: 'write',
  right: 'manage_users',
  submit: 'Suspend',
  fields: { user: { kind: 'user', label: 'User', hint: 'They cannot sign in until they are reinstated.', accepts: (user) => !user.suspended } },
  effect: (_, { user }) => `${fullName(user)} cannot sign in until they are reinstated.`,
  isDone: ({ user }) => user.suspended,
  async run(context, { user }) {
    await changeUser(context, user, { suspended: true });
    return { kind: 'done', message: `${fullName(user)} is suspended and cannot sign in.` };
  },
});

export const reinstateUser = defineOperation({
  name: 'reinstate-user',
  command: '/quiz-user reinstate <user>',
  summary: 'Let a suspended user sign in again',
  access: 'write',
  right: 'manage_users',
  submit: 'Reinstate',
  fields: { user: { kind: 'user', label: 'User', accepts: (user) => user.suspended } },
  effect: (_, { user }) => `${fullName(user)} can sign in again, as ${user.user_type}.`,
  isDone: ({ user }) => !user.suspended,
  async run(context, { user }) {
    await changeUser(context, user, { suspended: false });
    return { kind: 'done', message: `${fullName(user)} can sign in again.` };
  },
});

export const deleteUser = defineOperation({
  name: 'delete-user',
  command: '/quiz-user delete <user>',
  summary: 'Delete a user, for good',
  access: 'destructive',
  right: 'manage_users',
  submit: 'Delete',
  fields: { user: { kind: 'user', label: 'User', hint: 'This cannot be undone.' } },
  effect: (_, { user }) => `${fullName(user)} is deleted for good, ${user.user_type} with ${user.quizzes.length} assigned ${user.quizzes.length === 1 ? 'quiz' : 'quizzes'}.`,
  async run({ api, directory, call }, { user }) {
    await api.users.delete(user.user_id, call);
    directory.users.remove(user);
    return { kind: 'done', message: `${fullName(user)} is deleted.` };
  },
});

async function userWithQuizzes(context: OperationContext, user: UserWithResults): Promise<OperationResult> {
  return { kind: 'user', user, assigned: await assignedQuizzesOf(user, context) };
}

type ChangeFields = { [Name in keyof Omit<UserChanges, 'password' | 'suspended'>]?: string | undefined };

function changesOf(given: ChangeFields): Omit<UserChanges, 'password' | 'suspended'> {
  const { user_name, first_name, last_name, email_address } = given;
  return {
    user_name,
    first_name,
    last_name,
    email_address,
    user_type: given.user_type as UserType | undefined,
    edit_quizzes: asFlag(given.edit_quizzes),
    manage_users: asFlag(given.manage_users),
    manage_groups: asFlag(given.manage_groups),
  };
}

function changesInWords(changes: Omit<UserChanges, 'password'>): string[] {
  return Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => {
      const right = flags.find((flag) => flag.value === field)?.label.toLowerCase();
      if (right !== undefined) return `${value === true ? 'may' : 'may no longer'} ${right}`;
      return field === 'user_type' ? `becomes ${value}` : `${field.replace('_', ' ')} becomes “${value}”`;
    });
}

async function changeUser({ api, directory, call }: OperationContext, user: User, changes: Omit<UserChanges, 'password'>): Promise<void> {
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  directory.users.put({ ...user, ...given });
}

/** Reads a new user into the directory. */
async function addToDirectory({ api, directory, call }: OperationContext, userId: string): Promise<User> {
  const user = await api.users.get(userId, call);
  directory.users.put(user);
  return user;
}

function asFlag(choice: string | undefined): boolean | undefined {
  return choice === undefined ? undefined : choice === 'true';
}
