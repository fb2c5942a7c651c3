import { fullName } from '../directory/names.ts';
import type { User, UserChanges, UserWithResults } from '../quiz-api/users.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import type { OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';

export const showUser = defineOperation({
  name: 'show-user',
  command: '/quiz-user show <user>',
  summary: 'Show one user with their rights, groups, notes and results',
  access: 'read',
  right: 'manage_users',
  submit: 'Show',
  fields: { user: { kind: 'user', label: 'User' } },
  async run(context, { user }) {
    return userResult(context, await context.api.users.get(user.user_id, context.call));
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
    return userResult(context, user);
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

export const resetPassword = defineOperation({
  name: 'reset-password',
  command: '/quiz-user reset-password <user>',
  summary: 'Replace a user’s password, and get a button that shows you a new one',
  access: 'write',
  right: 'manage_users',
  submit: 'Replace it',
  fields: { user: { kind: 'user', label: 'User', hint: 'Their password stops working.' } },
  effect: (_, { user }) => `The password of ${fullName(user)} (${user.user_type}) stops working. The person who asks sees a new one, with which they could sign in as ${fullName(user)}.`,
  async run({ api, makePassword, call }, { user }) {
    await api.users.update(user.user_id, { password: makePassword() }, call);
    return { kind: 'done', message: `The password of ${fullName(user)} does not work any more.`, passwordOf: { user, isNew: false } };
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

/** Changes a user in the service and in the directory. */
export async function changeUser({ api, directory, call }: OperationContext, user: User, changes: Omit<UserChanges, 'password'>): Promise<void> {
  await api.users.update(user.user_id, changes, call);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  directory.users.put({ ...user, ...given });
}

const unreadable = '(cannot be read)';

/** A user with the names of what they train. The service may show only the ids: the directory may know the names. */
async function userResult(context: OperationContext, user: UserWithResults): Promise<OperationResult> {
  const { directory, visibility, call } = context;
  const { trainerquizzes, trainergroups } = user;
  const quizzes = trainerquizzes.some(({ name }) => name === '') ? await directory.quizzes.names(call) : undefined;
  const groups = [...trainergroups, ...user.groups].some(({ group_name }) => group_name === '') ? await directory.groups.names(call) : undefined;
  const groupName = ({ group_id, group_name }: User['groups'][number]) => {
    const known = groups?.byId(group_id);
    return group_name || (known && visibility.group(known) ? known.group_name : group_id) || unreadable;
  };
  return {
    kind: 'user',
    user,
    assigned: await assignedQuizzesOf(user, context),
    groups: user.groups.map(groupName),
    trains: {
      quizzes: trainerquizzes.map(({ quiz_id, name }) => {
        const known = quizzes?.byId(quiz_id);
        return name || (known && visibility.quiz(known) ? known.name : quiz_id) || unreadable;
      }),
      groups: trainergroups.map(groupName),
    },
  };
}
