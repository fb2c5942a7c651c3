import { expect, test } from 'vitest';
import { createDirectory } from '../../../src/directory/directory.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import { changeUser } from '../../../src/features/users/update-user.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import type { User, UserChanges } from '../../../src/quiz-api/users.ts';
import { quizUser } from '../../support/builders/users.ts';

const trainer = quizUser({ user_type: 'trainer', manage_users: true, manage_groups: true });
const rights = { edit_quizzes: false, manage_users: false, manage_groups: false };

/** What the directory knows of the trainer after a change. @param read the service’s answer to the question */
async function knownAfter(
  changes: Omit<UserChanges, 'password'>,
  read: () => Promise<User>,
): Promise<User | undefined> {
  const api = { users: { list: async () => [trainer], update: async () => {}, get: read } } as unknown as QuizApi;
  const directory = createDirectory({ api, now: () => 0, onBackgroundError: () => {} });
  await directory.users.names();
  await changeUser({ api, directory, call: {} } as unknown as OperationContext, trainer, changes);
  return (await directory.users.names()).byId(trainer.user_id);
}

test('a respondent who becomes a trainer again has the rights that the service says they have', async () => {
  const cleared = { ...trainer, ...rights };
  expect(await knownAfter({ user_type: 'trainer' }, async () => cleared)).toEqual(cleared);
});

test('where the service does not say, they have no right that they were not given', async () => {
  const away = async () => Promise.reject(new Error('away'));
  expect(await knownAfter({ user_type: 'trainer', manage_users: true }, away)).toMatchObject({
    ...rights,
    manage_users: true,
  });
});

test('a change of something else is known without asking', async () => {
  const never = async () => expect.fail('asked');
  expect(await knownAfter({ first_name: 'Kim' }, never)).toEqual({ ...trainer, first_name: 'Kim' });
});
