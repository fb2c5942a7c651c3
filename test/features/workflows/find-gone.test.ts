import { expect, test } from 'vitest';
import { createFindGone } from '../../../src/features/workflows/find-gone.ts';
import { NotFoundError } from '../../../src/quiz-api/errors.ts';
import { quizUser } from '../../support/builders/users.ts';

const call = { operation: 'users.get', method: 'GET', path: '/v1/users/u-2' };
const waits = [
  { userId: 'u-1', quizId: 'q-1' },
  { userId: 'u-2', quizId: 'q-1' },
  { userId: 'u-2', quizId: 'q-2' },
];

/** An account whose list has u-1 alone, with the service’s answers to questions about others. */
function setUp(answer: (id: string) => unknown) {
  const asked: string[] = [];
  const get = async (id: string) => {
    asked.push(id);
    return answer(id) as never;
  };
  const findGone = createFindGone({
    users: async () => [quizUser({ user_id: 'u-1' })],
    quizzes: async () => [],
    api: { users: { get }, quizzes: { get } },
  });
  return { asked, findGone };
}

test('what the lists lack is asked for once, and is gone where the service does not know it', async () => {
  const { asked, findGone } = setUp((id) => {
    if (id !== 'q-2') throw new NotFoundError(call, 'answered 404', { status: 404 });
    return {};
  });
  expect(await findGone(waits)).toEqual({ users: new Set(['u-2']), quizzes: new Set(['q-1']) });
  expect(asked).toEqual(['u-2', 'q-1', 'q-2']);
});

test.each([new NotFoundError(call, 'a page', { isFromService: false }), new Error('the service does not answer')])(
  'nothing is gone where something else answers: %s',
  async (error) => {
    const { findGone } = setUp(() => {
      throw error;
    });
    await expect(findGone(waits)).rejects.toBe(error);
  },
);
