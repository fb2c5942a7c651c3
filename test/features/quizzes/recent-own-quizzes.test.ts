import { expect, test } from 'vitest';
import { createRecentOwnQuizzes } from '../../../src/features/quizzes/assigned-quizzes.ts';
import type { Directory } from '../../../src/directory/directory.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import { quizUser } from '../../support/builders/users.ts';

function openRecent() {
  const asked: string[] = [];
  const clock = { now: 0 };
  let fails = false;
  const api = {
    users: {
      async get(userId: string) {
        asked.push(userId);
        if (fails) throw new Error('the service is away');
        return { ...quizUser({ user_id: userId, groups: [] }), quizzes: [] };
      },
    },
  } as unknown as QuizApi;
  const directory = {
    quizzes: { get: async () => [] },
    users: { get: async () => [] },
    quizGroups: { isComplete: () => true },
  } as unknown as Directory;
  const recent = createRecentOwnQuizzes({ api, directory, takeLink: () => undefined, now: () => clock.now });
  return { asked, clock, recent, fail: (is: boolean) => void (fails = is) };
}

test('the quizzes of a user are read once a minute, however often they look', async () => {
  const { asked, clock, recent } = openRecent();
  await Promise.all([recent.of('rosa', {}), recent.of('rosa', {}), recent.of('kim', {})]);
  clock.now = 59_999;
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'kim']);
  clock.now = 60_000;
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'kim', 'rosa']);
});

test('a submission has them read anew', async () => {
  const { asked, recent } = openRecent();
  await recent.of('rosa', {});
  recent.forget();
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'rosa']);
});

test('a failure is not kept', async () => {
  const { asked, recent, fail } = openRecent();
  fail(true);
  await expect(recent.of('rosa', {})).rejects.toThrow('the service is away');
  fail(false);
  await expect(recent.of('rosa', {})).resolves.toMatchObject({ quizzes: [] });
  expect(asked).toEqual(['rosa', 'rosa']);
});
