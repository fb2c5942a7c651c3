import { expect, test } from 'vitest';
import { createFindGone } from '../../../src/features/workflows/find-gone.ts';
import { quizUser } from '../../support/builders/users.ts';

const waits = [
  { userId: 'u-1', quizId: 'q-1' },
  { userId: 'u-2', quizId: 'q-1' },
  { userId: 'u-3', quizId: 'q-1' },
];

/** An account whose list at hand has u-1 alone, and which lists these users when it is asked. */
function setUp(fresh: () => string[]) {
  const reads: string[] = [];
  const users = (ids: string[]) => ids.map((user_id) => quizUser({ user_id }));
  const findGone = createFindGone({
    users: {
      get: async () => users(['u-1']),
      async fresh() {
        reads.push('users');
        return users(fresh());
      },
    },
    quizzes: {
      get: async () => [{ quiz_id: 'q-1' }] as never,
      async fresh() {
        reads.push('quizzes');
        return [];
      },
    },
  });
  return { reads, findGone };
}

test('what the list at hand lacks is gone where the list of the service lacks it, too', async () => {
  const { reads, findGone } = setUp(() => ['u-1', 'u-2']);
  expect(await findGone(waits)).toEqual({ users: new Set(['u-3']), quizzes: new Set() });
  expect(reads).toEqual(['users']);
});

test('where the list at hand has everything, nothing is read, and where the service does not answer, nothing is gone', async () => {
  const error = new Error('the service does not answer');
  const { reads, findGone } = setUp(() => {
    throw error;
  });
  expect(await findGone(waits.slice(0, 1))).toEqual({ users: new Set(), quizzes: new Set() });
  expect(reads).toEqual([]);
  await expect(findGone(waits)).rejects.toBe(error);
});
