import { expect, test } from 'vitest';
import { createAssignedQuizIds } from '../../src/directory/directory.ts';
import { quizUser } from '../support/builders/users.ts';

test('knows the quizzes that active users or groups have, and looks again a quarter of an hour later', async () => {
  const clock = { now: 0 };
  const withQuiz = (quiz_id: string, suspended = false) =>
    quizUser({ suspended, quizzes: [{ quiz_id, name: '', date_assigned: null }] });
  let users = [withQuiz('q-1'), withQuiz('q-1'), withQuiz('q-2', true), quizUser({ quizzes: [] })];
  const assigned = createAssignedQuizIds({
    users: { get: async () => users },
    quizGroups: { assigned: () => ['q-3'] },
    now: () => clock.now,
  });
  expect(await assigned()).toEqual(new Set(['q-1', 'q-3']));
  users = [withQuiz('q-4')];
  clock.now = 15 * 60_000 - 1;
  expect(await assigned()).toEqual(new Set(['q-1', 'q-3']));
  clock.now += 1;
  expect(await assigned()).toEqual(new Set(['q-4', 'q-3']));
});
