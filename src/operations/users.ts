import { named } from '../domain/sentence.ts';
import type { User, UserChanges, UserWithResults } from '../quiz-api/users.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError, UnclearInputError } from './errors.ts';
import { fromMatch } from './fields/field-kind.ts';
import { nameFor } from './fields/user.ts';
import { nextSteps } from './next-steps.ts';
import type { DoneResult, OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';
import { actions } from './wording/actions.ts';
import { noChanges, outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';

export const showUser = defineOperation({
  name: 'show-user',
  command: '/quiz-user show <user>',
  summary: 'Show a user with their rights, groups, notes and results',
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
  summary: 'Find a user by user name or name, even if they’re too new for the list',
  access: 'read',
  right: 'manage_users',
  submit: 'Find',
  fields: { user_name: { kind: 'text', label: 'User name or name', maxLength: 250 } },
  async run(context, { user_name }) {
    const { api, visibility, call } = context;
    const userId = (await api.users.find(user_name, call)) ?? (await userNamed(context, user_name)).user_id;
    const user = await api.users.get(userId, call);
    if (!visibility.user(user)) throw new InvalidInputError('user_name', nobodyNamed(user_name));
    return userResult(context, user);
  },
});

const suspended = (input: { user: User }): DoneResult => ({
  kind: 'done',
  message: outcomes['suspend-user'](input),
  next: nextSteps['suspend-user'](input),
});

export const suspendUser = defineOperation({
  name: 'suspend-user',
  command: '/quiz-user suspend <user>',
  summary: 'Suspend a user, so that they can’t sign in',
  access: 'write',
  right: 'manage_users',
  submit: 'Suspend user',
  fields: {
    user: {
      kind: 'user',
      label: 'User',
      hint: 'They can’t sign in until someone reinstates them.',
      accepts: (user: User) => !user.suspended,
    },
  },
  action: actions['suspend-user'],
  effect: proposals['suspend-user'],
  isDone: ({ user }) => user.suspended,
  done: suspended,
  noChange: noChanges['suspend-user'],
  async run(context, input) {
    await changeUser(context, input.user, { suspended: true });
    return suspended(input);
  },
});

const reinstated = (input: { user: User }): DoneResult => ({
  kind: 'done',
  message: outcomes['reinstate-user'](input),
  next: nextSteps['reinstate-user'](input),
});

export const reinstateUser = defineOperation({
  name: 'reinstate-user',
  command: '/quiz-user reinstate <user>',
  summary: 'Let a suspended user sign in again',
  access: 'write',
  right: 'manage_users',
  submit: 'Reinstate user',
  fields: { user: { kind: 'user', label: 'User', accepts: (user: User) => user.suspended } },
  action: actions['reinstate-user'],
  effect: (_, input) => proposals['reinstate-user'](input),
  isDone: ({ user }) => !user.suspended,
  done: reinstated,
  noChange: noChanges['reinstate-user'],
  async run(context, input) {
    await changeUser(context, input.user, { suspended: false });
    return reinstated(input);
  },
});

export const resetPassword = defineOperation({
  name: 'reset-password',
  command: '/quiz-user reset-password <user>',
  summary: 'Reset a user’s password and get a button that shows the new one',
  access: 'write',
  right: 'manage_users',
  submit: 'Reset password',
  fields: { user: { kind: 'user', label: 'User', hint: 'Their current password stops working.' } },
  action: actions['reset-password'],
  effect: (_, input) => proposals['reset-password'](input),
  async run({ api, makePassword, call }, { user }) {
    await api.users.update(user.user_id, { password: makePassword() }, call);
    return { kind: 'done', message: outcomes['reset-password']({ user }), passwordOf: { user, isNew: false } };
  },
});

const deleted = (input: { user: User }): DoneResult => ({ kind: 'done', message: outcomes['delete-user'](input) });

export const deleteUser = defineOperation({
  name: 'delete-user',
  command: '/quiz-user delete <user>',
  summary: 'Delete a user for good',
  access: 'destructive',
  right: 'manage_users',
  submit: 'Delete user',
  fields: { user: { kind: 'user', label: 'User', hint: 'You can’t undo this.' } },
  action: actions['delete-user'],
  effect: (_, input) => proposals['delete-user'](input),
  done: deleted,
  async run({ api, directory, call }, input) {
    await api.users.delete(input.user.user_id, call);
    directory.users.remove(input.user);
    return deleted(input);
  },
});

/**
 * The only user of the list whom the name fits.
 * @throws {InvalidInputError} where the name fits nobody, or several, whom the person chooses from
 */
async function userNamed({ directory, visibility, call }: OperationContext, name: string): Promise<User> {
  const match = (await directory.users.names(call)).match(name, { accepts: visibility.user });
  const found = fromMatch(name, 'user', match, {
    candidate: (user) => ({ value: user.user_name, label: nameFor(user, visibility) }),
  });
  if (found.kind === 'value') return found.value;
  if (found.kind === 'unclear' && found.candidates.length > 0) throw new UnclearInputError('user_name', found);
  throw new InvalidInputError('user_name', nobodyNamed(name));
}

function nobodyNamed(name: string): string {
  return `Nobody in the quiz account is called ${named(name)}. Check the spelling.`;
}

/** Changes a user in the service and in the directory. */
export async function changeUser(
  { api, directory, call }: OperationContext,
  user: User,
  changes: Omit<UserChanges, 'password'>,
): Promise<void> {
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
  const groups = [...trainergroups, ...user.groups].some(({ group_name }) => group_name === '')
    ? await directory.groups.names(call)
    : undefined;
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
