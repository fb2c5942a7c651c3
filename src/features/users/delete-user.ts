import { fullName, recordName } from '../../directory/names.ts';
import { named } from '../../domain/sentence.ts';
import type { User } from '../../quiz-api/users.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { aType } from '../../operations/wording/words.ts';

export const deleteUser = defineOperation({
  name: 'delete-user',
  command: '/quiz-user delete <user>',
  summary: 'Delete a user for good',
  access: 'destructive',
  right: 'manage_users',
  submit: 'Delete user',
  fields: { user: { kind: 'user', label: 'User', hint: 'You can’t undo this.' } },
  action: ({ user }) => `delete the user ${named(recordName(user))}`,
  effect(_, { user }) {
    const { length } = user.quizzes;
    const quizzes = length === 0 ? '' : ` with ${length} assigned ${length === 1 ? 'quiz' : 'quizzes'}`;
    return `${named(recordName(user))}, ${aType(user.user_type)}${quizzes}, would be deleted for good.`;
  },
  done: deleted,
  async run({ api, directory, call }, input) {
    await api.users.delete(input.user.user_id, call);
    directory.users.remove(input.user);
    return deleted(input);
  },
});

function deleted({ user }: { user: User }): DoneResult {
  return { kind: 'done', message: `Deleted the user ${named(fullName(user))}.` };
}
