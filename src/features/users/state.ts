import { namedUser, recordName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/records.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { formStep, runStep, made, type DoneResult } from '../../operations/page.ts';
import type { DepartureField } from '../../operations/fields/kept.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import type { UserField } from '../../operations/fields/user.ts';
import { defineOpposites, defineOperation } from '../../operations/operation.ts';
import { aType, isOfStaff } from '../../operations/wording/words.ts';
import { changeUser } from './update-user.ts';
import { say, countOf } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';

interface SuspendFields extends Fields {
  user: UserField;
  left: DepartureField;
}

const isBack = say`They’re back in the workspace, so they stay active in the quiz account.`;

export const [suspendUser, reinstateUser] = defineOpposites<SuspendFields>((isSuspended) => {
  const done = isSuspended ? suspended : reinstated;
  const fields = {
    user: {
      kind: 'user',
      label: 'User',
      ...(isSuspended && { hint: 'They can’t sign in until someone reinstates them.' }),
      accepts: (user: User) => user.suspended !== isSuspended,
    },
    ...(isSuspended && { left: { kind: 'departure', label: 'Has left', optional: true, typedOnly: true } }),
  } as SuspendFields;
  return {
    name: isSuspended ? 'suspend-user' : 'reinstate-user',
    command: isSuspended ? '/quiz-user suspend <user>' : '/quiz-user reinstate <user>',
    synonyms: isSuspended
      ? ['deactivate', 'disable', 'block', 'unreinstate', 'lock']
      : ['unsuspend', 'un-suspend', 'activate', 'reactivate', 'enable', 'unblock', 'restore', 'unlock'],
    summary: isSuspended ? 'Suspend a user, so that they can’t sign in' : 'Let a suspended user sign in again',
    isCommon: true,
    buttons: {
      user: [
        {
          label: isSuspended ? 'Suspend…' : 'Reinstate',
          in: ['list', 'page'],
          position: 3,
          opens: isSuspended ? 'form' : undefined,
          when: (user) => user.suspended !== isSuspended,
        },
      ],
    },
    access: 'write',
    right: 'manage_users',
    rules: isSuspended
      ? [{ name: 'suspending a user' }]
      : [{ name: 'reinstating a trainer or administrator', when: ({ user }) => isOfStaff(user) }],
    submit: isSuspended ? 'Suspend user' : 'Reinstate user',
    onUser: ({ user }) => ({ user, to: { suspended: isSuspended } }),
    ...(isSuspended && { takesTurn: true }),
    fields,
    check({ left }) {
      if (left?.isGone === false) throw new InvalidInputError('left', isBack);
    },
    action: ({ user }) =>
      isSuspended ? say`suspend ${namedUser(user, recordName)}` : say`reinstate ${namedUser(user, recordName)}`,
    effect: (_, { user }) =>
      isSuspended
        ? say`They couldn’t sign in until someone reinstates them.`
        : say`They could sign in again, as ${aType(user.user_type)}.`,
    isDone: ({ user }) => user.suspended === isSuspended,
    done,
    noChange: ({ user }) =>
      isSuspended
        ? say`${namedUser(user)} was suspended already. Nothing changed.`
        : say`${namedUser(user)} wasn’t suspended. Nothing changed.`,
    async run(context, input) {
      // What the bot knows can be a day old: the platform loses events.
      if (input.left && !(await context.departures.isGone(input.user))) throw new InvalidInputError('left', isBack);
      await changeUser(context, input.user, { suspended: isSuspended });
      return done(input);
    },
  };
});

function suspended({ user }: { user: User }): DoneResult {
  return made(say`Suspended ${namedUser(user)}. They can’t sign in until someone reinstates them.`, [
    runStep(say`Reinstate`, reinstateUser, { user: [user.user_id] }),
  ]);
}

function reinstated({ user }: { user: User }): DoneResult {
  return made(say`Reinstated ${namedUser(user)}. They can sign in again.`, [
    formStep(say`Suspend…`, suspendUser, { user: [user.user_id] }),
  ]);
}

export const resetPassword = defineOperation({
  name: 'reset-password',
  command: '/quiz-user reset-password <user>',
  synonyms: ['reset', 'password', 'new-password'],
  summary: 'Reset a user’s password, and get a button that shows the new one',
  isCommon: true,
  buttons: { user: [{ label: 'Reset password…', in: ['list'], position: 4, opens: 'form' }] },
  access: 'write',
  right: 'manage_users',
  needsPress: () => true,
  rules: [
    { name: 'resetting the password of a trainer or administrator', when: ({ user }) => isOfStaff(user) },
    { name: 'resetting the password of a respondent' },
  ],
  submit: 'Reset password',
  fields: { user: { kind: 'user', label: 'User', hint: 'Their current password stops working.' } },
  action: ({ user }) => say`reset the password of ${namedUser(user, recordName)}`,
  effect: (_, { user }) =>
    say`Their password would stop working. The requester would see a new one, and could sign in with it as ${namedUser(user, recordName)}, ${aType(user.user_type)}.`,
  async run(context, { user }) {
    await setNewPassword(context, user);
    return { kind: 'done', message: resetMessage(user), passwordOf: { user, isNew: false } };
  },
});

/** Gives the user a password that nobody has seen yet. */
export async function setNewPassword(
  { api, makePassword, call }: Pick<OperationContext, 'api' | 'makePassword' | 'call'>,
  { user_id }: Pick<User, 'user_id'>,
): Promise<string> {
  const password = makePassword();
  await api.users.update(user_id, { password }, call);
  return password;
}

/** Says whose password was reset. The new one is shown to the person who asked for it, and nowhere else. */
export function resetMessage(user: Pick<User, 'user_id' | 'user_name' | 'first_name' | 'last_name'>): string {
  return say`Reset ${namedUser(user)}’s password. The old one doesn’t work any more.`;
}

export const deleteUser = defineOperation({
  name: 'delete-user',
  command: '/quiz-user delete <user>',
  summary: 'Delete a user for good',
  access: 'destructive',
  right: 'manage_users',
  submit: 'Delete user',
  onUser: ({ user }) => ({ user, to: 'deleted' }),
  takesTurn: true,
  fields: { user: { kind: 'user', label: 'User', hint: 'You can’t undo this.' } },
  action: ({ user }) => say`delete the user ${namedUser(user, recordName)}`,
  effect(_, { user }) {
    const { length } = user.quizzes;
    const [name, type] = [namedUser(user, recordName), aType(user.user_type)];
    return length === 0
      ? say`${name}, ${type}, would be deleted for good.`
      : say`${name}, ${type} with ${countOf(length, 'assigned quiz', 'assigned quizzes')}, would be deleted for good.`;
  },
  done: deleted,
  async run({ api, directory, call }, input) {
    await api.users.delete(input.user.user_id, call);
    directory.users.remove(input.user);
    return deleted(input);
  },
});

function deleted({ user }: { user: User }): DoneResult {
  return made(say`Deleted the user ${namedUser(user)}.`);
}
