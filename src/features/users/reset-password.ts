import { namedUser, recordName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import { defineOperation } from '../../operations/operation.ts';
import { aType } from '../../operations/wording/words.ts';
import { isOfStaff } from './user-options.ts';
import { say } from '../../domain/said.ts';

export const resetPassword = defineOperation({
  name: 'reset-password',
  command: '/quiz-user reset-password <user>',
  synonyms: ['reset', 'password', 'new-password'],
  summary: 'Reset a user’s password and get a button that shows the new one',
  isCommon: true,
  buttons: {
    user: [
      {
        label: 'Reset password…',
        in: ['list'],
        position: 4,
        opens: 'form',
        input: ({ user_id }) => ({ user: [user_id] }),
      },
    ],
  },
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
