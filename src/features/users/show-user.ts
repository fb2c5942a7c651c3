import { defineOperation } from '../../operations/operation.ts';
import { userResult } from './user-result.ts';

export const showUser = defineOperation({
  name: 'show-user',
  command: '/quiz-user show <user>',
  synonyms: ['info', 'view', 'details', 'profile'],
  summary: 'Show a user with their rights, groups, notes, what they have to take, and results',
  buttons: {
    user: [{ label: 'View', in: ['list'], position: 1, input: ({ user_id }) => ({ user: [user_id] }) }],
  },
  access: 'read',
  right: 'manage_users',
  submit: 'Show',
  fields: { user: { kind: 'user', label: 'User' } },
  async run(context, { user }) {
    return userResult(context, await context.api.users.get(user.user_id, context.call));
  },
});
