import { loadWeekBefore } from '../../../../src/features/delivery/digests.ts';
import { expect, test, vi } from 'vitest';
import type { CallOptions } from '../../../../src/quiz-api/transport.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import type { SubmissionFilter } from '../../../../src/domain/subscription.ts';
import { recordingLog } from '../../../support/log.ts';
import { quizResponse } from '../../../support/builders/responses.ts';

const dayMs = 24 * 3_600_000;
const before = Date.UTC(2026, 10, 21);
const submittedAt = (ms: number, overrides: Partial<QuizResponse> = {}) =>
  quizResponse({ date_submitted: new Date(ms), ...overrides });

function setUp(answer: (quizId: string) => QuizResponse[]) {
  const list = vi.fn(async (quizId: string, _options?: CallOptions) => answer(quizId));
  const { log, lines } = recordingLog();
  const ask = async (quizIds: string[], filter: SubmissionFilter = { kind: 'all' }) =>
    loadWeekBefore({ responses: { list }, log, now: () => before + 500 }, quizIds, { filter, before });
  return { list, lines, ask };
}

test('counts the graded submissions of the seven days before, and no other response', async () => {
  const { ask } = setUp(() => [
    submittedAt(before - 7 * dayMs - 1, { percentage_score: 1 }),
    submittedAt(before - 7 * dayMs, { percentage_score: 60 }),
    submittedAt(before - 1, { percentage_score: 81, pass: false }),
    submittedAt(before, { percentage_score: 2 }),
    quizResponse({ status: 'not_submitted', date_submitted: null, percentage_score: 3 }),
    submittedAt(before - 2, { status: 'not_submitted', percentage_score: 4 }),
    submittedAt(before - 3, { points: 0, grade: '', pass: false, percentage_score: 0 }),
  ]);
  expect(await ask(['q-1'])).toEqual(new Map([['q-1', { graded: 2, mean: 70.5 }]]));
  expect(await ask(['q-1'], { kind: 'failed' })).toEqual(new Map([['q-1', { graded: 1, mean: 81 }]]));
});

test('says that nothing was submitted in it', async () => {
  const { ask } = setUp(() => []);
  expect(await ask(['q-1'])).toEqual(new Map([['q-1', { graded: 0, mean: null }]]));
});

test('asks as background work, with a deadline, for ten quizzes at most', async () => {
  const { ask, list } = setUp(() => []);
  const weeks = await ask(Array.from({ length: 12 }, (_, index) => `q-${index}`));
  expect([...weeks.keys()]).toEqual(['q-0', 'q-1', 'q-2', 'q-3', 'q-4', 'q-5', 'q-6', 'q-7', 'q-8', 'q-9']);
  expect(list).toHaveBeenCalledTimes(10);
  for (const [, options] of list.mock.calls)
    expect(options).toEqual({ priority: 'background', deadline: before + 60_500 });
});

test('leaves out a quiz for which the service does not answer, and logs it', async () => {
  const { ask, lines } = setUp((quizId) => {
    if (quizId === 'q-1') throw new Error('no answer');
    return [];
  });
  expect([...(await ask(['q-1', 'q-2'])).keys()]).toEqual(['q-2']);
  expect(lines).toEqual([expect.stringMatching(/"quiz":"q-1".*without the week before/)]);
});
