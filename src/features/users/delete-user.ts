import { namedUser, recordName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { aType } from '../../operations/wording/words.ts';
import { say, countOf } from '../../domain/said.ts';

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
  return { kind: 'done', message: say`Deleted the user ${namedUser(user)}.` };
}
