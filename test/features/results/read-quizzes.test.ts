import { describe, expect, test } from 'vitest';
import { likeliestFirst, readQuizzes } from '../../../src/features/results/show-results.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import type { Quiz } from '../../../src/quiz-api/records.ts';

const quiz = (quiz_id: string, status: Quiz['status'] = 'open', day = '2026-11-01'): Quiz => ({
  quiz_id,
  name: quiz_id,
  status,
  date_created: new Date(day),
});
const many = Array.from({ length: 10 }, (_, index) => quiz(`q-${index}`));
const call = { operation: 'responses.list', method: 'GET', path: '/v1/quizzes/q-1/responses' } as const;
const spent = new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(0) });

/** @param failures by quiz */
async function read(quizzes: readonly Quiz[], failures: Readonly<Record<string, Error>> = {}) {
  const priorities: string[] = [];
  const used: string[] = [];
  const using = async (quizId: string, { priority = 'person' }, use: (responses: never[]) => Promise<void>) => {
    priorities.push(priority);
    if (failures[quizId]) throw failures[quizId];
    await use([]);
  };
  const api = { responses: { using } } as unknown as QuizApi;
  const count = await readQuizzes({ api, call: {} }, quizzes, async ({ quiz_id }) => void used.push(quiz_id));
  return { count, priorities, used };
}

describe('reading the responses to many quizzes', () => {
  test('takes a tenth of a minute’s requests from people, and the others from what they leave', async () => {
    const { count, priorities } = await read(many);
    expect(count).toBe(10);
    expect(priorities).toEqual([...Array(6).fill('person'), ...Array(4).fill('background')]);
  });

  test('ends where the requests are used up, and says how many quizzes it read', async () => {
    const { count, used } = await read(many, { 'q-7': spent });
    expect(count).toBe(7);
    expect(used).toHaveLength(7);
  });

  test('fails where nothing can be read', async () => {
    await expect(read(many, { 'q-0': spent })).rejects.toBe(spent);
  });

  test('passes over a quiz that is deleted meanwhile', async () => {
    const gone = new QuizApiError('gone', call, 'is gone');
    const { count, used } = await read(many, { 'q-3': gone });
    expect(count).toBe(10);
    expect(used).not.toContain('q-3');
  });
});

test('quizzes that people can take come first, and of these the newest', () => {
  const quizzes = [
    quiz('design', 'in_design'),
    quiz('closed', 'closed'),
    quiz('old'),
    quiz('new', 'open', '2026-11-20'),
  ];
  expect(likeliestFirst(quizzes).map(({ quiz_id }) => quiz_id)).toEqual(['new', 'old', 'closed', 'design']);
});
